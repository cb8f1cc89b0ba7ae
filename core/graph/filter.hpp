// Which labels arcs may have: those seen in training between words with the same two tags, in the same
// direction (Johansson and Nugues 2008; Bohnet 2010, section 2).
#pragma once

#include "core/features.hpp"

namespace plait {

class LabelFilter {
  public:
    // `tags` in order, as the values of a column. `seen`: for every tag of a head and last the root, every
    // tag of a dependent, leftward and rightward, every label: whether there was such an arc.
    LabelFilter(std::vector<std::uint32_t> tags, std::size_t column, std::span<const std::uint8_t> seen,
                std::vector<Label> of_root, std::vector<Label> of_words);

    std::size_t column() const { return column_; }

    // The number of the tag of every word, 1 for the first word; none if it was never seen.
    void number(const Words& words, Index count, std::vector<std::int32_t>& tags) const;

    // With the root as head, its tag is that of no word: `root`. Any label goes with a tag that was never
    // seen.
    std::span<const Label> labels(std::int32_t head, std::int32_t dependent, bool rightward) const {
        if (head == none || dependent == none) return all(head == root());
        const std::size_t list =
            (static_cast<std::size_t>(head) * tags_.size() + static_cast<std::size_t>(dependent)) * 2 +
            rightward;
        return std::span(labels_).subspan(ends_[list], ends_[list + 1] - ends_[list]);
    }
    std::span<const Label> all(bool from_root) const { return from_root ? of_root_ : of_words_; }
    std::int32_t root() const { return static_cast<std::int32_t>(tags_.size()); }

  private:
    std::vector<std::uint32_t> tags_;
    std::size_t column_;
    std::vector<Label> of_root_, of_words_, labels_;
    std::vector<std::size_t> ends_;
};

}  // namespace plait
