// Features of a state: where to look (addresses), what to see there (atoms), what to join (templates).
// All three are data, compiled from template files by Python.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include "core/addresses.hpp"

namespace plait {

// Values of words in columns (form, tag, ...) as 32-bit hashes of their strings. Column by column for one
// word: row w - 1 belongs to word w. The root has the value `root_value` in every column, a missing node 0.
// Where tags are chosen while parsing, a word has a row for each of its candidates, the best first.
// One column may hold positions instead: the heads in a tree that another parser, the guide, has built.
struct Words {
    std::span<const std::uint32_t> values;
    std::size_t columns = 0;
    std::span<const std::int64_t> starts{};    // of the rows of words, and the end; empty: one row each
    std::span<const std::uint16_t> classes{};  // of rows, for the label filter; empty: there is none
    std::span<const std::uint8_t> row_tags{};  // of rows: which tag of its word; empty: each another one
    std::span<const float> priors{};           // of rows: what a candidate scores by itself; empty: nothing

    std::size_t row(Index word, Index rank = 0) const {
        const auto at = static_cast<std::size_t>(word - 1);
        return starts.empty() ? at : static_cast<std::size_t>(starts[at] + rank);
    }
    std::uint32_t value(Index word, std::size_t column) const { return values[row(word) * columns + column]; }
    bool joint() const { return !starts.empty(); }
    Index candidates(Index word) const {
        const auto at = static_cast<std::size_t>(word - 1);
        return static_cast<Index>(starts[at + 1] - starts[at]);
    }
    // Which of its tags a word has with a candidate: several may differ in the features of the word only.
    Index tag_of(Index word, Index rank) const {
        return row_tags.empty() ? rank : Index{row_tags[row(word, rank)]};
    }
    float prior(Index word, Index rank) const { return priors.empty() ? 0.0f : priors[row(word, rank)]; }
    // Whether SHIFT has a choice: a word that SWAP sent back keeps its tag.
    bool ambiguous(const State& state) const {
        const Index front = state.buffer(0);
        return joint() && state.tag(front) == none && candidates(front) > 1;
    }
    // The row of what is known of a word in a state: one that was never shifted shows its best candidate.
    std::size_t seen_row(const State& state, Index word) const {
        return starts.empty() ? row(word) : row(word, std::max<Index>(state.tag(word), 0));
    }
    std::uint16_t seen_class(const State& state, Index node) const {
        return node == 0 ? std::uint16_t{0} : classes[seen_row(state, node)];
    }
    // A node by its position in a column; `none` where there is no such node.
    Index position(Index word, std::size_t column) const {
        if (word <= 0) return none;
        const std::uint32_t found = value(word, column);
        return found * columns <= values.size() ? static_cast<Index>(found) : none;
    }
};
inline constexpr std::uint32_t missing_value = 0, root_value = 1;

inline std::uint64_t bin_distance(Index distance) {
    const Index length = std::abs(distance);
    return static_cast<std::uint64_t>(length <= 5 ? length : length <= 10 ? 6 : 7);
}

enum class Sight : std::uint8_t {
    column,
    label,
    lefts,
    rights,
    left_labels,
    right_labels,
    distance,
    in_order,
    depth,
    guided,        // whether the guide joins two nodes, and which one is the head
    guide_side,    // on which side of a word its head in the guide's tree is, and whether still in the buffer
    guide_waiting  // how many of its dependents in the guide's tree are still in the buffer
};
inline constexpr std::size_t sight_count = 12;

// What is seen at an address; distance and order are between two addresses.
struct Atom {
    Sight sight;
    std::int32_t address;
    std::int32_t argument;  // the column, or the other address
};

constexpr bool is_of_guide(Sight sight) { return sight >= Sight::guided; }

struct Template {
    std::int32_t first, size;     // its atoms, in the list of joined atoms
    std::uint64_t seed;           // so that two templates with the same values do not meet
    std::uint64_t addresses = 0;  // as a bit set: with none of them present, the template says nothing
};

// What is at the addresses of a program in a state.
struct Look {
    std::array<Index, 64> nodes;
    std::array<const std::uint32_t*, 64> rows;  // of nodes, the root's and that of a missing node too
    std::uint64_t present = 0;                  // as a bit set of addresses
    std::uint64_t depth = 1;
};

// The same as summands of a hash: by address of the word whose columns are seen, and by atom of what is seen
// besides.
struct Marks {
    static constexpr std::size_t most_atoms = 512;

    std::array<std::uint64_t, 64 + most_atoms> each;
    std::array<std::uint64_t, most_atoms> values;  // of atoms; those of columns when they are asked for
    std::uint64_t all = 0;
};

// Templates that look at the same places, such as the top of the stack and its dependents. States that have
// these in common have the features of the region in common. Their order is by size, and does not matter.
struct Region {
    struct Joined {
        std::uint64_t seed, addresses;
        std::int32_t first, size;  // in `atoms`
    };
    std::vector<Joined> templates;
    std::vector<std::int32_t> atoms, columns;  // of its templates one after the other; those of columns, once
    std::vector<std::int32_t> marks;           // of all that is seen
    std::uint64_t addresses = 0;               // as a bit set
    std::uint64_t seed = 0;                    // of its keys
};

class FeatureProgram {
  public:
    // `joined` holds the atoms of all templates one after the other; `ends` where each template ends;
    // `guide` is the column with the guide's heads, or none. A part of a longer list has the `numbers` that
    // its templates have there, so that their features are the same.
    FeatureProgram(std::vector<Address> addresses, std::vector<Atom> atoms, std::vector<std::int32_t> joined,
                   std::span<const std::int32_t> ends, std::int32_t guide, std::uint64_t seed,
                   std::span<const std::int32_t> numbers = {});

    std::size_t size() const { return templates_.size(); }
    std::size_t columns() const { return columns_; }

    // The features of a state, seen in a context, as 64-bit hashes; returns how many there are, at most
    // size().
    std::size_t extract(const State& state, const Context& context, const Words& words,
                        std::span<std::uint64_t> features) const;

    // The same region by region: what is at the addresses; a key that tells what all regions show from all
    // else they can show in this sentence, and one for each of them; its features.
    void look(const State& state, const Context& context, const Words& words, Look& look) const;
    void mark(const State& state, const Words& words, const Look& look, Marks& marks) const;
    std::span<const Region> regions() const { return regions_; }
    std::uint64_t key(const Look& look, const Marks& marks) const;
    std::uint64_t key(std::size_t region, const Look& look, const Marks& marks) const;
    std::size_t extract(std::size_t region, const Look& look, Marks& marks,
                        std::span<std::uint64_t> features) const;

    // Calls `use(place, feature)` for every template that says something, by its place in the list.
    void each_feature(const State& state, const Context& context, const Words& words,
                      const std::function<void(std::size_t, std::uint64_t)>& use) const;

    static constexpr std::size_t most_addresses = 64, most_atoms = Marks::most_atoms, most_templates = 1024;
    static constexpr std::size_t largest_region = 256;  // templates

  private:
    template <typename View>
    void look_from(const View& view, const State& state, const Context& context, const Words& words,
                   Look& look) const;
    std::uint64_t value(const Atom& atom, const State& state, const Words& words, const Look& look) const;
    template <typename Use>
    void each_feature_of(const State& state, const Words& words, const Look& look, Use use) const;
    static bool is_silent(const Template& t, const Look& look) {
        return t.addresses != 0 && (t.addresses & look.present) == 0;
    }
    std::uint64_t hash(const Template& t, const std::uint64_t* values) const;
    void divide();
    Region region_of(std::span<const std::int32_t> templates) const;

    std::vector<Address> addresses_;
    std::vector<Atom> atoms_;
    std::vector<std::int32_t> joined_;
    std::vector<Template> templates_;
    std::vector<Region> regions_;
    std::vector<std::int32_t> others_;  // atoms that are no columns
    std::uint64_t words_ = 0;           // addresses where columns are seen, as a bit set
    std::size_t columns_ = 0;
    std::size_t guide_ = 0;
};

}  // namespace plait
