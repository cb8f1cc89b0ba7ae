#include "core/graph/filter.hpp"

#include <algorithm>
#include <stdexcept>

namespace plait {

LabelFilter::LabelFilter(std::vector<std::uint32_t> tags, std::size_t column,
                         std::span<const std::uint8_t> seen, std::vector<Label> of_root,
                         std::vector<Label> of_words)
    : tags_(std::move(tags)), column_(column), of_root_(std::move(of_root)), of_words_(std::move(of_words)) {
    const std::size_t lists = (tags_.size() + 1) * tags_.size() * 2;
    if (lists == 0 || seen.size() % lists != 0 || of_root_.empty() || of_words_.empty() ||
        !std::ranges::is_sorted(tags_)) {
        throw std::invalid_argument("the filter of labels does not fit");
    }
    const std::size_t labels = seen.size() / lists;
    for (const auto& list : {of_root_, of_words_}) {
        for (const Label label : list) {
            if (label < 0 || static_cast<std::size_t>(label) >= labels) {
                throw std::invalid_argument("no such label");
            }
        }
    }
    ends_.push_back(0);
    for (std::size_t list = 0; list < lists; ++list) {
        for (std::size_t label = 0; label < labels; ++label) {
            if (seen[list * labels + label] != 0) labels_.push_back(static_cast<Label>(label));
        }
        ends_.push_back(labels_.size());
    }
}

void LabelFilter::number(const Words& words, Index count, std::vector<std::int32_t>& tags) const {
    tags.assign(static_cast<std::size_t>(count) + 1, root());
    for (Index word = 1; word <= count; ++word) {
        const std::uint32_t value = words.value(word, column_);
        const auto found = std::ranges::lower_bound(tags_, value);
        tags[static_cast<std::size_t>(word)] =
            found != tags_.end() && *found == value ? static_cast<std::int32_t>(found - tags_.begin()) : none;
    }
}

}  // namespace plait
