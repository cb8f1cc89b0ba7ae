#include "core/neural/nets.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/cancel.hpp"
#include "core/neural/mean.hpp"
#include "core/neural/spanning.hpp"
#include "core/threads.hpp"

namespace plait::neural {

namespace {

// The places of the largest scores, the largest first and of equal ones the first; then -1.
void best_places(std::span<const float> scores, std::span<std::int32_t> places) {
    std::array<float, script_choices> best;
    best.fill(-std::numeric_limits<float>::infinity());
    std::ranges::fill(places, -1);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!(scores[i] > best.back())) continue;
        std::size_t at = best.size() - 1;
        for (; at > 0 && scores[i] > best[at - 1]; --at) {
            best[at] = best[at - 1];
            places[at] = places[at - 1];
        }
        best[at] = scores[i];
        places[at] = static_cast<std::int32_t>(i);
    }
    places.front() = std::max(places.front(), 0);
}

}  // namespace

Nets::Nets(std::vector<std::shared_ptr<Net>> nets) : nets_(std::move(nets)) {
    if (nets_.empty()) throw std::invalid_argument("there is no net");
    for (const auto& net : nets_) {
        if (net->labels() != labels() || !std::ranges::equal(net->tags().sizes(), tags().sizes())) {
            throw std::invalid_argument("the nets do not have the same classes");
        }
    }
}

void Nets::check(const Batch& batch) const {
    if (batch.types.size() != nets_.size()) {
        throw std::invalid_argument("there must be as many tables of words as nets");
    }
    for (std::size_t k = 0; k < nets_.size(); ++k) {
        if (batch.types[k].size() != batch.types[0].size()) {
            throw std::invalid_argument("the tables of words do not fit together");
        }
        nets_[k]->check(batch.types[k]);
    }
    for (const std::int32_t word : batch.words) {
        if (word < 0 || static_cast<std::size_t>(word) >= batch.types[0].size()) {
            throw std::invalid_argument("a word is of no kind");
        }
    }
    if (!batch.given.empty() && batch.given.size() != batch.words.size()) {
        throw std::invalid_argument("there must be as many given heads as words");
    }
    for (std::size_t s = 0; s + 1 < batch.offsets.size() && !batch.given.empty(); ++s) {
        const std::int64_t first = batch.offsets[s], last = batch.offsets[s + 1];
        for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t head = batch.given[static_cast<std::size_t>(i)];
            if (head < -1 || head > last - first || head == i - first + 1) {
                throw std::invalid_argument("a given head is out of range");
            }
        }
    }
}

Nets::Vectors Nets::vectors(const Batch& batch, int threads) const {
    Vectors found;
    for (std::size_t k = 0; k < nets_.size(); ++k)
        found.push_back(nets_[k]->vectors(batch.types[k], threads));
    return found;
}

Nets::Scratches Nets::scratches() const {
    Scratches found;
    for (const auto& net : nets_) found.emplace_back(net->kernel());
    return found;
}

void Nets::read(const Batch& batch, const Vectors& vectors, std::size_t first, std::size_t size,
                Scratches& at) const {
    const Mean tag_mean(size, padded(tags().size())), arc_mean(size, padded(size + 1));
    for (std::size_t k = 0; k < nets_.size(); ++k) {
        nets_[k]->read(batch.types[k], vectors[k], batch.words.subspan(first, size), at[k]);
        if (nets_.size() == 1) return;
        std::size_t column = 0;
        for (const std::size_t classes : tags().sizes()) {
            tag_mean.to_probabilities(at[k].tag_logits, column, classes);
            column += classes;
        }
        arc_mean.to_probabilities(at[k].arcs, 0, size + 1);
        if (k == 0) continue;
        tag_mean.add_to(at[0].tag_logits, at[k].tag_logits);
        arc_mean.add_to(at[0].arcs, at[k].arcs);
    }
    tag_mean.to_logarithms(at[0].tag_logits, nets_.size());
    arc_mean.to_logarithms(at[0].arcs, nets_.size());
    for (std::size_t t = 0; t < size; ++t) {
        at[0].arcs[t * padded(size + 1) + t + 1] = -std::numeric_limits<float>::infinity();
    }
}

std::size_t Nets::width() const {
    std::size_t found = 0;
    for (const auto& net : nets_) found += net->body().width();
    return found;
}

std::vector<LabelRows> Nets::label_rows(const Scratches& at) const {
    std::vector<LabelRows> found;
    for (std::size_t k = 0; k < nets_.size(); ++k) found.push_back(nets_[k]->trees().label_rows(at[k]));
    return found;
}

void Nets::score_labels(std::span<const LabelRows> rows, std::span<const std::int32_t> heads,
                        Scratches& at) const {
    const Mean mean(heads.size(), padded(labels()));
    for (std::size_t k = 0; k < nets_.size(); ++k) {
        nets_[k]->trees().score_labels(rows[k], heads, at[k]);
        if (nets_.size() == 1) return;
        mean.to_probabilities(at[k].label_logits, 0, labels());
        if (k > 0) mean.add_to(at[0].label_logits, at[k].label_logits);
    }
    mean.to_logarithms(at[0].label_logits, nets_.size());
}

void Nets::put_tags(const Scratches& at, std::size_t from, std::size_t first, std::size_t size,
                    Found& found) const {
    const auto sizes = tags().sizes();
    for (std::size_t t = 0; t < size; ++t) {
        const float* logits = at[0].tag_logits.data() + (from + t) * padded(tags().size());
        for (std::size_t i = 0; i < script_column; logits += sizes[i++]) {
            found.tags[(first + t) * tag_columns + i] = static_cast<std::int32_t>(argmax(logits, sizes[i]));
        }
        const auto choices = std::span(found.scripts).subspan((first + t) * script_choices, script_choices);
        best_places({logits, sizes[script_column]}, choices);
        found.tags[(first + t) * tag_columns + script_column] = choices.front();
    }
    if (found.vectors.empty()) return;
    const std::size_t all = width();
    std::size_t column = 0;
    for (std::size_t k = 0; k < nets_.size(); ++k) {
        const std::size_t own = nets_[k]->body().width();
        for (std::size_t t = 0; t < size; ++t) {
            std::copy_n(at[k].vectors.data() + (from + t + 1) * own, own,
                        found.vectors.data() + (first + t) * all + column);
        }
        column += own;
    }
}

void Nets::put_labels(const Scratch& at, std::size_t first, std::size_t size, Found& found) const {
    for (std::size_t t = 0; t < size; ++t) {
        found.labels[first + t] =
            static_cast<std::int32_t>(argmax(at.label_logits.data() + t * padded(labels()), labels()));
    }
}

namespace {

std::size_t first_of(const Batch& batch, std::size_t sentence) {
    return static_cast<std::size_t>(batch.offsets[sentence]);
}
std::size_t size_of(const Batch& batch, std::size_t sentence) {
    return first_of(batch, sentence + 1) - first_of(batch, sentence);
}

// Where the words of a sentence begin in the trees of this rank.
std::size_t put_tree(const Batch& batch, std::size_t sentence, const Trees& trees, std::size_t rank,
                     Found& found) {
    const std::size_t place = rank * batch.words.size() + first_of(batch, sentence);
    std::ranges::copy(trees.tree(rank, size_of(batch, sentence)),
                      found.heads.begin() + static_cast<std::ptrdiff_t>(place));
    found.scores[rank * (batch.offsets.size() - 1) + sentence] = trees.scores[rank];
    return place;
}

}  // namespace

void Nets::read_whole(const Batch& batch, const Vectors& vectors, std::size_t sentence,
                      const Decoder& decoder, Scratches& at, Found& found) const {
    const std::size_t first = first_of(batch, sentence), size = size_of(batch, sentence);
    read(batch, vectors, first, size, at);
    put_tags(at, 0, first, size, found);
    const Trees trees = decoder.decode(
        reading(at[0]), batch.given.empty() ? batch.given : batch.given.subspan(first, size), batch.best);
    for (std::size_t rank = 0; rank < trees.size(); ++rank) {
        const std::size_t place = put_tree(batch, sentence, trees, rank, found);
        score_labels(label_rows(at), trees.tree(rank, size), at);
        put_labels(at[0], place, size, found);
    }
    for (std::size_t t = 0; t < size; ++t) {
        float* arcs = at[0].arcs.data() + t * padded(size + 1);
        for (std::size_t head = 0; head <= size; ++head) arcs[head] /= batch.temperature;
        found.probabilities[first + t] = std::exp(arcs[found.heads[first + t]] - log_sum(arcs, size + 1));
    }
}

// A word sees those of its piece and around it, and its head is one of them.
void Nets::read_in_pieces(const Batch& batch, const Vectors& vectors, std::size_t sentence,
                          const Decoder& decoder, Scratches& at, Found& found) const {
    const std::size_t first = first_of(batch, sentence), size = size_of(batch, sentence);
    double all = 0;
    Arcs arcs;
    std::vector<std::vector<float>> dependents(nets_.size()), above(nets_.size());
    std::vector<LabelRows> rows;
    const std::span<float> sums = std::span(found.probabilities).subspan(first, size);
    for (std::size_t begin = 0; begin < size; begin += piece) {
        const std::size_t end = std::min(begin + piece, size), from = begin - std::min(begin, around),
                          to = std::min(end + around, size), room = padded(to - from + 1);
        read(batch, vectors, first + from, to - from, at);
        put_tags(at, begin - from, first + begin, end - begin, found);
        for (std::size_t t = begin; t < end; ++t) {
            float* scores = at[0].arcs.data() + (t - from) * room;
            all += static_cast<double>(log_sum(scores, to - from + 1));
            arcs.add_word(scores, from + 1, to - from, batch.given.empty() ? -1 : batch.given[first + t]);
            for (std::size_t head = 0; head <= to - from; ++head) scores[head] /= batch.temperature;
            sums[t] = log_sum(scores, to - from + 1);
        }
        for (std::size_t k = 0; k < nets_.size(); ++k) {
            const LabelRows own = nets_[k]->trees().label_rows(at[k]);
            const std::size_t label = nets_[k]->trees().label_size();
            const auto keep = [&](std::vector<float>& kept, const float* row) {
                kept.insert(kept.end(), row, row + label);
            };
            if (begin == 0) keep(above[k], own.heads);
            for (std::size_t t = begin - from; t < end - from; ++t) {
                keep(dependents[k], own.dependents + t * own.step);
                keep(above[k], own.heads + (t + 1) * own.step);
            }
        }
    }
    Trees trees = decoder.span(arcs, batch.best);
    for (double& score : trees.scores) score -= all;
    const std::span<const std::int32_t> best = trees.tree(0, size);
    for (std::size_t t = 0; t < size; ++t) {
        sums[t] = std::exp(arcs.score(t + 1, best[t]) / batch.temperature - sums[t]);
    }
    for (std::size_t rank = 0; rank < trees.size(); ++rank) {
        const std::size_t place = put_tree(batch, sentence, trees, rank, found);
        for (std::size_t begin = 0; begin < size; begin += piece) {
            check_cancelled();
            rows.clear();
            for (std::size_t k = 0; k < nets_.size(); ++k) {
                const std::size_t label = nets_[k]->trees().label_size();
                rows.push_back({dependents[k].data() + begin * label, above[k].data(), label, size});
            }
            const std::size_t count = std::min(piece, size - begin);
            score_labels(rows, trees.tree(rank, size).subspan(begin, count), at);
            put_labels(at[0], place + begin, count, found);
        }
    }
}

std::vector<std::size_t> Nets::groups(const Batch& batch) const {
    std::size_t enough = 1;
    for (const auto& net : nets_) enough = std::max(enough, net->body().at_once());
    std::vector<std::size_t> found{0};
    std::size_t words = 0;
    for (std::size_t s = 0; s + 1 < batch.offsets.size(); ++s) {
        const std::size_t size = static_cast<std::size_t>(batch.offsets[s + 1] - batch.offsets[s]);
        if (words > 0 && words + size > enough) {
            found.push_back(s);
            words = 0;
        }
        words += size;
    }
    if (words > 0) found.push_back(batch.offsets.size() - 1);
    return found;
}

void Nets::prepare(const Batch& batch, std::size_t from, std::size_t to, Scratches& at) const {
    const auto place = [&](std::size_t s) { return static_cast<std::size_t>(batch.offsets[s]); };
    const std::size_t first = place(from);
    std::vector<std::size_t> ends;
    for (std::size_t s = from; s < to; ++s) ends.push_back(place(s + 1) - first);
    if (ends.back() > most_at_once) return;  // a sentence that is read in pieces
    for (std::size_t k = 0; k < nets_.size(); ++k) {
        if (nets_[k]->body().at_once() == 1) continue;
        nets_[k]->prepare(batch.types[k], batch.words.subspan(first, ends.back()), ends, at[k]);
    }
}

template <typename Use>
void Nets::each(const Batch& batch, int threads, Use use) const {
    const std::vector<std::size_t> groups = this->groups(batch);
    std::atomic<std::size_t> next = 0;
    on_threads(threads, [&] {
        Scratches at = scratches();
        for (std::size_t g = next++; g + 1 < groups.size(); g = next++) {
            prepare(batch, groups[g], groups[g + 1], at);
            for (std::size_t s = groups[g]; s < groups[g + 1]; ++s) {
                check_cancelled();
                if (size_of(batch, s) > 0) use(s, at);
            }
        }
    });
}

Found Nets::run(const Batch& batch, const Decoder& decoder, int threads) const {
    check(batch);
    const std::size_t words = batch.words.size();
    Found found;
    found.heads.resize(words * batch.best, -1);
    found.labels.resize(words * batch.best, -1);
    found.tags.resize(words * tag_columns);
    found.scripts.resize(words * script_choices);
    found.probabilities.resize(words);
    found.scores.resize((batch.offsets.size() - 1) * batch.best, -std::numeric_limits<double>::infinity());
    if (batch.vectors) found.vectors.resize(words * width());
    const Vectors inputs = vectors(batch, threads);
    each(batch, threads, [&](std::size_t sentence, Scratches& at) {
        const auto way = size_of(batch, sentence) > most_at_once ? &Nets::read_in_pieces : &Nets::read_whole;
        (this->*way)(batch, inputs, sentence, decoder, at, found);
    });
    return found;
}

Readings Nets::read(const Batch& batch, int threads) const {
    check(batch);
    std::vector<std::size_t> starts{0};
    for (std::size_t s = 0; s + 1 < batch.offsets.size(); ++s) {
        const std::size_t size = size_of(batch, s);
        if (size > most_at_once) throw std::invalid_argument("a sentence has more than 1,024 words");
        starts.push_back(starts.back() + size * (size + 1));
    }
    Readings found;
    found.vectors.resize(batch.words.size() * first_width());
    found.arcs.resize(starts.back());
    const Vectors inputs = vectors(batch, threads);
    each(batch, threads, [&](std::size_t s, Scratches& at) {
        const std::size_t first = first_of(batch, s), size = size_of(batch, s);
        read(batch, inputs, first, size, at);
        const Reading from = reading(at[0]);
        std::copy_n(from.vectors, size * from.width, found.vectors.data() + first * from.width);
        for (std::size_t t = 0; t < size; ++t) {
            std::copy_n(from.arcs.scores + t * from.arcs.step, size + 1,
                        found.arcs.data() + starts[s] + t * (size + 1));
        }
    });
    return found;
}

namespace {

// Rows of numbers that lie padded.
std::vector<float> dense(const std::vector<float>& from, std::size_t rows, std::size_t size) {
    std::vector<float> found;
    for (std::size_t t = 0; t < rows; ++t) {
        const auto row = from.begin() + static_cast<std::ptrdiff_t>(t * padded(size));
        found.insert(found.end(), row, row + static_cast<std::ptrdiff_t>(size));
    }
    return found;
}

void require_one(const Batch& batch) {
    const std::size_t words = batch.words.size();
    if (words == 0 || words > most_at_once || batch.offsets.size() != 2) {
        throw std::invalid_argument("one sentence is expected, of at most 1,024 words");
    }
}

}  // namespace

Logits Nets::look(const Batch& batch, const Decoder& decoder) const {
    check(batch);
    require_one(batch);
    const std::size_t words = batch.words.size();
    Scratches all = scratches();
    read(batch, vectors(batch, 1), 0, words, all);
    const Scratch& at = all.front();
    score_labels(label_rows(all), decoder.decode(reading(at), batch.given, 1).heads, all);
    return {dense(at.tag_logits, words, tags().size()), dense(at.arcs, words, words + 1),
            dense(at.label_logits, words, labels())};
}

std::vector<float> Nets::label(const Batch& batch, std::span<const std::int32_t> heads) const {
    check(batch);
    require_one(batch);
    const std::size_t words = batch.words.size();
    for (const std::int32_t head : heads) {
        if (head < 0 || static_cast<std::size_t>(head) > words) throw std::invalid_argument("no such head");
    }
    Scratches all = scratches();
    read(batch, vectors(batch, 1), 0, words, all);
    std::vector<float> found;
    for (std::size_t row = 0; row + words <= heads.size(); row += words) {
        check_cancelled();
        score_labels(label_rows(all), heads.subspan(row, words), all);
        const std::vector<float> logits = dense(all.front().label_logits, words, labels());
        found.insert(found.end(), logits.begin(), logits.end());
    }
    return found;
}

}  // namespace plait::neural
