// Features of a word in context, compiled from template files by Python.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/features.hpp"
#include "core/tagger/inventory.hpp"

namespace plait {

// A value to see at a distance from the word: a column of a word, or a view of a tag before it.
struct TagAtom {
    bool of_tag;
    std::int32_t distance;
    std::int32_t argument;
};

class TagProgram {
  public:
    // `joined` holds the atoms of all templates one after the other; `ends` where each template ends.
    TagProgram(std::vector<TagAtom> atoms, std::vector<std::int32_t> joined,
               std::span<const std::int32_t> ends, std::uint64_t seed);

    std::size_t size() const { return templates_.size(); }
    std::size_t columns() const { return columns_; }
    std::size_t views() const { return views_; }

    // The features of the word at `place` as 64-bit hashes, as many as templates. Of the tags only those
    // before `place` are looked at.
    void extract(const Words& words, std::span<const Tag> tags, const TagInventory& inventory,
                 std::size_t place, std::span<std::uint64_t> features) const;

  private:
    struct Line {
        std::int32_t first, end;
        std::uint64_t seed;  // so that two templates with the same values do not meet
    };

    std::vector<TagAtom> atoms_;
    std::vector<std::int32_t> joined_;
    std::vector<Line> templates_;
    std::size_t columns_ = 0, views_ = 0;
};

}  // namespace plait
