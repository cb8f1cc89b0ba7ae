// The best spanning trees of a sentence, one after the other: Lawler (1972), over arcs as in Camerini, Fratta
// and Maffioli (1980).
#include <algorithm>

#include "core/cancel.hpp"
#include "core/neural/decoder.hpp"
#include "core/neural/descent.hpp"
#include "core/neural/layers.hpp"

namespace plait::neural {

namespace {

// Words of long sentences that may change their heads: the least sure ones.
constexpr std::size_t most_moving = 200;
constexpr double barred_score = -4e6, required_reward = 1e7;  // beyond all others

using Heads = std::vector<std::int32_t>;

// Trees that agree in some heads and lack some arcs, and the best of them.
struct Part {
    Heads heads;
    double bound;       // its score
    double value;       // less what it owes for arcs that cross
    std::size_t fixed;  // words, in the order in which they move, whose heads all agree in
    std::vector<std::pair<std::size_t, std::int32_t>> barred;  // words and heads
};

// A part falls into those trees that differ from its best in this word, those that differ first in that one
// ... Nothing in a part has a higher value than its bound.
class Ranking {
  public:
    Ranking(Arcs& arcs, double price) : arcs_(arcs), words_(arcs.words()), price_(price) {
        for (const Arcs::Arc& arc : arcs_.all()) before_.push_back(arc.score);
        first_.resize(words_);
        best_tree(arcs_, price, first_);  // arcs that paid have another score now
        roots_ = std::ranges::count(first_, 0);
    }

    Trees best(std::size_t count) {
        const double score = sum(first_);
        if (count > 1) list_moving();
        most_ = score - owed(first_);
        open_.push_back({first_, score, most_, 0, {}});
        Trees found;
        std::size_t patience =
            4 * count + 64;  // trees that are looked at, for those that owe are out of order
        while (found.size() < count && !(open_.empty() && ready_.empty())) {
            check_cancelled();
            if (!ready_.empty() && (open_.empty() || ready_.front().first >= open_.front().bound)) {
                std::ranges::pop_heap(ready_, ranks_behind);
                found.add(ready_.back().second, ready_.back().first);
                ready_.pop_back();
            } else if (patience-- == 0) {
                open_.clear();
            } else {
                std::ranges::pop_heap(open_, opens_behind);
                const Part part = std::move(open_.back());
                open_.pop_back();
                if (found.size() + ready_.size() > 0) {
                    ready_.emplace_back(part.value, part.heads);
                    std::ranges::push_heap(ready_, ranks_behind);
                } else {
                    found.add(part.heads, part.value);  // the first is the first
                }
                if (count > 1) divide(part);
            }
        }
        return found;
    }

  private:
    using Ready = std::pair<double, Heads>;

    static bool opens_behind(const Part& one, const Part& other) {
        return one.bound != other.bound ? one.bound < other.bound : one.heads > other.heads;
    }
    static bool ranks_behind(const Ready& one, const Ready& other) {
        return one.first != other.first ? one.first < other.first : one.second > other.second;
    }

    void list_moving() {
        for (std::size_t word = 1; word <= words_; ++word) {
            const bool given = arc(word, first_[word - 1]).score > required_reward / 2;
            if (!given) moving_.push_back(word);
        }
        std::ranges::stable_sort(moving_, {}, [&](std::size_t word) { return lead(word); });
        if (moving_.size() > most_moving) moving_.resize(most_moving);
    }

    Arcs::Arc& arc(std::size_t word, std::int32_t head) {
        return *std::ranges::find(arcs_.of(word), static_cast<std::uint32_t>(head), &Arcs::Arc::head);
    }
    bool paid(const Arcs::Arc& arc) {
        return arc.score != before_[static_cast<std::size_t>(&arc - arcs_.all().data())];
    }

    // Without rewards of given heads, which all trees have.
    double sum(const Heads& heads) {
        double total = 0;
        for (std::size_t i = 0; i < words_; ++i) {
            const Arcs::Arc& own = arc(i + 1, heads[i]);
            total += static_cast<double>(own.plain) - (paid(own) ? price_ : 0);
        }
        return total;
    }
    double owed(const Heads& heads) {
        if (!(price_ > 0)) return 0;
        descent_.read(heads);
        std::size_t count = 0;
        for (std::size_t i = 0; i < words_; ++i) {
            count +=
                !paid(arc(i + 1, heads[i])) && descent_.crosses(i + 1, static_cast<std::size_t>(heads[i]));
        }
        return price_ * static_cast<double>(count);
    }
    // By how much the first head of a word leads over the next best.
    double lead(std::size_t word) {
        const Arcs::Arc& own = arc(word, first_[word - 1]);
        double next = 2 * barred_score;
        for (const Arcs::Arc& other : arcs_.of(word)) {
            if (&other != &own) next = std::max(next, other.score);
        }
        return own.score - next;
    }

    // The best tree of a part, if there is one.
    bool find(const Part& part, const Heads& required, Heads& heads) {
        Arcs changed = arcs_;
        const auto change = [&](std::size_t word, std::int32_t head) -> double& {
            return std::ranges::find(changed.of(word), static_cast<std::uint32_t>(head), &Arcs::Arc::head)
                ->score;
        };
        for (const auto& [word, head] : part.barred) change(word, head) = barred_score;
        for (std::size_t i = 0; i < words_; ++i) {
            if (required[i] >= 0) change(i + 1, required[i]) += required_reward;
        }
        best_tree(changed, 0, heads);
        bool fits = std::ranges::count(heads, 0) <= roots_;
        for (std::size_t i = 0; i < words_; ++i) fits &= required[i] < 0 || heads[i] == required[i];
        for (const auto& [word, head] : part.barred) fits &= heads[word - 1] != head;
        return fits;
    }

    void divide(const Part& part) {
        Heads required(words_, -1);
        for (std::size_t i = 0; i < part.fixed; ++i) {
            required[moving_[i] - 1] = part.heads[moving_[i] - 1];
        }
        for (std::size_t i = part.fixed; i < moving_.size(); ++i) {
            check_cancelled();
            const std::size_t word = moving_[i];
            const std::int32_t head = part.heads[word - 1];
            Part next{Heads(words_), 0, 0, i, {}};
            for (const auto& barred : part.barred) {
                if (required[barred.first - 1] < 0) next.barred.push_back(barred);
            }
            next.barred.emplace_back(word, head);
            if (find(next, required, next.heads)) {
                // Where arcs had no end of paying, the first is not the best by what they have paid.
                next.bound = std::min(sum(next.heads), most_);
                next.value = std::min(next.bound, sum(next.heads) - owed(next.heads));
                open_.push_back(std::move(next));
                std::ranges::push_heap(open_, opens_behind);
            }
            required[word - 1] = head;
        }
    }

    Arcs& arcs_;
    std::size_t words_;
    double price_, most_ = 0;
    std::vector<double> before_;
    Heads first_;
    std::ptrdiff_t roots_ = 0;
    std::vector<std::size_t> moving_;
    std::vector<Part> open_;
    std::vector<Ready> ready_;
    Descent descent_;
};

}  // namespace

Trees best_trees(Arcs& arcs, double price, std::size_t count) { return Ranking(arcs, price).best(count); }

Trees TreeDecoder::decode(const Reading& reading, std::span<const std::int32_t> given,
                          std::size_t best) const {
    Arcs arcs;
    double all = 0;
    for (std::size_t i = 0; i < reading.arcs.words; ++i) {
        const float* scores = reading.arcs.scores + i * reading.arcs.step;
        arcs.add_word(scores, 1, reading.arcs.words, given.empty() ? -1 : given[i]);
        all += static_cast<double>(log_sum(scores, reading.arcs.words + 1));
    }
    Trees found = best_trees(arcs, price_, best);
    for (double& score : found.scores) score -= all;
    return found;
}

}  // namespace plait::neural
