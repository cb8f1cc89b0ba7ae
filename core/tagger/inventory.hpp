// The tags a tagger knows, as integers: what a tag is made of, what is seen of it, which tags a word may
// have.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace plait {

using Tag = std::int32_t;
inline constexpr Tag no_tag = -1;

// Lists of integers of different lengths, one after the other.
class Lists {
  public:
    // `ends`: where each list ends. All entries are from 0 to `limit` - 1.
    Lists(std::span<const std::int32_t> entries, std::span<const std::int32_t> ends, std::size_t limit)
        : entries_(entries.begin(), entries.end()), starts_{0} {
        for (const std::int32_t end : ends) {
            if (end < starts_.back() || static_cast<std::size_t>(end) > entries_.size()) {
                throw std::invalid_argument("lists must end in order");
            }
            starts_.push_back(end);
        }
        for (const std::int32_t entry : entries_) {
            if (entry < 0 || static_cast<std::size_t>(entry) >= limit) {
                throw std::invalid_argument("an entry of a list is out of range");
            }
        }
    }

    std::size_t size() const { return starts_.size() - 1; }
    std::span<const std::int32_t> operator[](std::size_t i) const {
        const auto first = static_cast<std::size_t>(starts_[i]);
        return {entries_.data() + first, static_cast<std::size_t>(starts_[i + 1]) - first};
    }

  private:
    std::vector<std::int32_t> entries_, starts_;
};

// `parts`: of each tag the cells in the window of a feature whose weights it adds up. `views`: of each tag
// what templates may see of it (its UPOS, its case, ...), so many per tag. `sets`: lists of tags, the
// candidates of words.
struct TagInventory {
    TagInventory(Lists parts_of_tags, std::size_t width_of_window, std::vector<std::int32_t> views_of_tags,
                 std::size_t views_per_tag, Lists candidate_sets)
        : parts(std::move(parts_of_tags)),
          width(width_of_window),
          views(std::move(views_of_tags)),
          views_each(views_per_tag),
          sets(std::move(candidate_sets)) {
        if (views.size() != parts.size() * views_each)
            throw std::invalid_argument("views and tags differ in number");
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (sets[i].empty()) throw std::invalid_argument("a set of candidates is empty");
        }
    }

    std::size_t size() const { return parts.size(); }
    std::uint64_t view(Tag tag, std::size_t number) const {
        return static_cast<std::uint64_t>(views[static_cast<std::size_t>(tag) * views_each + number]);
    }
    float score(Tag tag, std::span<const float> of_parts) const {
        float sum = 0;
        for (const std::int32_t part : parts[static_cast<std::size_t>(tag)]) {
            sum += of_parts[static_cast<std::size_t>(part)];
        }
        return sum;
    }

    Lists parts;
    std::size_t width;
    std::vector<std::int32_t> views;
    std::size_t views_each;
    Lists sets;
};

}  // namespace plait
