// A cheap first look: every word ranks its possible heads by themselves, without labels, so that only the
// best of them are scored in earnest (as the first-order passes of Carreras, Collins and Koo 2008 and of
// Bergsma and Cherry 2010). Learned first, by passive-aggressive ranking of the right head above the best
// wrong one.
#pragma once

#include <algorithm>

#include "core/graph/filter.hpp"
#include "core/kernel.hpp"
#include "core/parts.hpp"

namespace plait {

struct RankedHead {
    float score;
    Index head;

    // The best first; equal ones in the order of the sentence.
    bool operator<(const RankedHead& other) const {
        return score != other.score ? score > other.score : head < other.head;
    }
};

class HeadRanker {
  public:
    static constexpr std::size_t most_rivals = 5;  // to learn from, per word

    // `weights`: of windows of one cell.
    HeadRanker(const PartProgram& program, const LabelFilter& filter, const Kernel& weights)
        : program_(program), filter_(filter), weights_(weights), features_(PartProgram::most_features) {}

    void read(const Words& words, Index count) {
        words_ = words;
        count_ = count;
        filter_.number(words, count, tags_);
    }
    const LabelFilter& filter() const { return filter_; }
    Index words() const { return count_; }

    std::span<const Label> labels(Index head, Index dependent) const {
        return filter_.labels(tags_[static_cast<std::size_t>(head)],
                              tags_[static_cast<std::size_t>(dependent)], head < dependent);
    }

    // The heads a word may have, in no order: those with a label, or all if there are none.
    std::span<RankedHead> rank(Index dependent) {
        ranked_.clear();
        for (const bool seen_only : {true, false}) {
            for (Index head = 0; head <= count_; ++head) {
                if (head == dependent || (seen_only && labels(head, dependent).empty())) continue;
                ranked_.push_back({score(head, dependent), head});
            }
            if (!ranked_.empty()) break;
        }
        return ranked_;
    }

    // The best heads first, as many as asked for; all if none are.
    std::span<const RankedHead> best(Index dependent, std::size_t most) {
        const std::span<RankedHead> all = rank(dependent);
        if (most == 0 || most >= all.size()) return all;
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
        return all.first(most);
    }
    bool keeps(Index dependent, Index head, std::size_t most) {
        return std::ranges::any_of(best(dependent, most),
                                   [&](const RankedHead& one) { return one.head == head; });
    }

    // The right head against the best wrong ones that come close to it. Returns against how many.
    std::size_t learn(Averaged& weights, Index dependent, Index gold, float longest_step) {
        const std::span<RankedHead> all = rank(dependent);
        const auto right = std::ranges::find(all, gold, &RankedHead::head);
        if (right == all.end()) return 0;
        std::swap(*right, all.back());
        const float margin = all.back().score - 1;
        std::span<RankedHead> wrong = all.first(all.size() - 1);
        const auto rivals = std::min(wrong.size(), most_rivals);
        std::partial_sort(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(rivals), wrong.end());
        wrong = wrong.first(rivals);
        wrong = wrong.first(static_cast<std::size_t>(
            std::ranges::find_if(wrong, [&](const RankedHead& one) { return one.score <= margin; }) -
            wrong.begin()));
        if (wrong.empty()) return 0;

        const auto raised = extract(gold, dependent);
        raised_.assign(raised.begin(), raised.end());
        for (const RankedHead& rival : wrong) {
            const auto lowered = extract(rival.head, dependent);
            const float norm = static_cast<float>(raised_.size() + lowered.size());
            const float step =
                std::min(longest_step, (rival.score - margin) / norm) / static_cast<float>(wrong.size());
            weights.add(raised_, 0, step);
            weights.add(lowered, 0, -step);
        }
        return wrong.size();
    }

  private:
    std::span<const std::uint64_t> extract(Index head, Index dependent) {
        const auto value = [&](Index word, std::size_t column) { return words_.value(word, column); };
        const Part part{PartKind::first, {head, dependent, none, none}};
        return std::span(features_).first(program_.extract(part, count_, value, features_));
    }
    float score(Index head, Index dependent) {
        float sum = 0;
        for (const std::uint64_t feature : extract(head, dependent)) {
            sum += weights_.weights[weights_.windows.cell(feature)];
        }
        return sum;
    }

    const PartProgram& program_;
    const LabelFilter& filter_;
    const Kernel& weights_;
    Words words_;
    Index count_ = 0;
    std::vector<std::int32_t> tags_;
    std::vector<RankedHead> ranked_;
    std::vector<std::uint64_t> features_, raised_;
};

}  // namespace plait
