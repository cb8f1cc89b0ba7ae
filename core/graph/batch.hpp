// A batch of sentences through the graph-based parser, over threads. Sentences do not depend on each other,
// so the result is the same on any number of threads; where there are fewer sentences, several share one.
#pragma once

#include <atomic>

#include "core/graph/model.hpp"
#include "core/parses.hpp"
#include "core/sentences.hpp"
#include "core/threads.hpp"

namespace plait {

template <typename Weights>
class GraphBatchParser {
  public:
    // Words that are parsed together. Time and memory grow with the square of this, so what is longer still
    // is parsed piece by piece.
    static constexpr std::size_t longest_piece = 2000;
    // Labels of all candidates of a piece together. Where words keep very many heads, or there are very many
    // labels, pieces are shorter.
    static constexpr std::size_t most_labels = std::size_t{1} << 26;

    GraphBatchParser(const GraphModel& model, const Weights& weights, const Kernel& ranking)
        : program_(model.program),
          weights_(weights),
          ranker_(model.ranker(ranking)),
          options_(model.options) {
        if (weights.windows.width() != model.labels)
            throw std::invalid_argument("the weights are of other labels");
        const auto heads = [&] { return options_.heads == 0 ? piece_ : std::min(options_.heads, piece_); };
        while (piece_ > 1 && piece_ * heads() * weights.windows.width() > most_labels)
            piece_ -= piece_ / 4 + 1;
    }

    Parses parse(const Sentences& sentences, int threads) const {
        Parses parses(sentences.offsets, 1);
        std::atomic<std::size_t> next{0};
        const int apart =
            std::clamp(static_cast<int>(std::min<std::size_t>(sentences.size(), 4096)), 1, threads);
        on_threads(apart, [&] {
            PartFeatureScorer<Weights> scorer(program_, weights_);
            Decoder decoder(ranker_, options_);
            decoder.threads = threads / apart;
            for (std::size_t i = next++; i < sentences.size(); i = next++) {
                const std::size_t begin = sentences.begin(i), length = sentences.length(i);
                if (length == 0) continue;
                const std::span<Index> heads(parses.heads.data() + begin, length);
                const std::span<Label> labels(parses.labels.data() + begin, length);
                parses.scores[i] = parse_pieces(scorer, decoder, sentences.words(i), heads, labels);
            }
        });
        return parses;
    }

  private:
    // The roots of all pieces but the first hang from the root of that one, where there must be one only.
    double parse_pieces(PartFeatureScorer<Weights>& scorer, Decoder& decoder, const Words& words,
                        std::span<Index> heads, std::span<Label> labels) const {
        double score = 0;
        Index first_root = 0;
        ArcTree tree;
        for (std::size_t begin = 0; begin < heads.size(); begin += piece_) {
            const std::size_t length = std::min(piece_, heads.size() - begin);
            const Words piece{words.values.subspan(begin * words.columns, length * words.columns),
                              words.columns};
            const auto count = static_cast<Index>(length), before = static_cast<Index>(begin);
            scorer.read(piece, count);
            score += decoder.parse(piece, count, scorer, {}, tree);
            for (Index word = 1; word <= count; ++word) {
                const auto [arc, label] = tree[word];
                const std::size_t place = begin + static_cast<std::size_t>(word - 1);
                const Index head = decoder.arcs()[arc].head;
                heads[place] = head == 0 ? first_root : head + before;
                labels[place] = head == 0 && first_root != 0
                                    ? ranker_.filter().all(false)[0]
                                    : decoder.arcs().labels(arc)[static_cast<std::size_t>(label)];
            }
            if (options_.single_root && begin == 0) {
                first_root = static_cast<Index>(std::ranges::find(heads, 0) - heads.begin()) + 1;
            }
        }
        return score;
    }

    const PartProgram& program_;
    const Weights& weights_;
    const HeadRanker ranker_;
    const GraphOptions& options_;
    std::size_t piece_ = longest_piece;
};

}  // namespace plait
