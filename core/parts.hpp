// Parts of a tree: an arc with up to two more words near it. The graph-based parser sums their scores over a
// tree (Bohnet 2010, section 3), the completion model over what a derivation has built so far (Bohnet and
// Kuhn 2012, section 4). What is seen of a part is data, compiled from template files by Python.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>

#include "core/features.hpp"
#include "core/hash.hpp"

namespace plait {

// head -> dependent, and of the further words, seen from the arc h -> d with h before d (otherwise mirrored):
//   sibling        the child of h between h and d that is nearest to d
//   inner          the child of d between h and d that is farthest from d
//   outer          the child of d beyond d that is farthest from it
//   across    (2b) the left-most child of h, on either side
//   children  (3a) the two left-most children of h
//   below     (3b) the two left-most children of d
//   chain     (3c) outer, and the farthest child of that beyond it
enum class PartKind : std::uint8_t { first, sibling, inner, outer, across, children, below, chain };
inline constexpr std::size_t part_kinds = 8;

struct Part {
    PartKind kind;
    std::array<Index, 4> nodes;  // head, dependent, others or none

    constexpr bool operator==(const Part&) const = default;

    std::size_t size() const { return kind == PartKind::first ? 2 : kind < PartKind::children ? 3 : 4; }
    std::uint64_t key() const {
        std::uint64_t hash = mix(static_cast<std::uint64_t>(kind));
        for (const Index node : nodes) hash = join(hash, static_cast<std::uint64_t>(node + 1));
        return hash;
    }
};

enum class PartSight : std::uint8_t { column, distance, between, guided, product, agreement, outside };
inline constexpr std::size_t part_sights = 7;

// What is seen at one of the nodes of a part or at the word before or after it; of `distance` between it and
// the `other` node; of `between` in a column at every word between head and dependent; of `guided`, by a
// column of positions, whether a guide has the arc too. Some things are sets, such as the features of a word:
// `size` columns, the members first, `missing_value` in the rest. Of two nodes `product` sees every member of
// the one with every member of the other, and `agreement` whether they share none, one or several. `outside`
// is a column of a neighbour that is no node of the part itself; where it is one, the line says nothing
// (Bohnet and Kuhn 2012, section 4, of the models with +).
struct PartAtom {
    PartSight sight;
    std::int32_t node, offset;
    std::int32_t column;  // of a set the first
    std::int32_t other, size;

    constexpr bool operator==(const PartAtom&) const = default;
};

class PartProgram {
  public:
    // A list of templates for parts of two, three (siblings; others) and four words. `joined` holds the atoms
    // of all templates of all lists, `ends` where each template ends, `lists` where each list ends.
    PartProgram(std::vector<PartAtom> atoms, std::vector<std::int32_t> joined,
                std::span<const std::int32_t> ends, std::span<const std::int32_t> lists, std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    static constexpr std::size_t list_count = 4, most_atoms = 128, most_between = 16, most_members = 16;
    static constexpr std::size_t most_pairs = 64;  // of a product
    static constexpr std::size_t most_features = 512;

    // The features of a part, as 64-bit hashes; `value(word, column)` is what is seen at words 1 to `words`.
    template <typename Values>
    std::size_t extract(const Part& part, Index words, const Values& value,
                        std::span<std::uint64_t> features) const;

  private:
    struct Line {
        std::int32_t first, size;
        std::uint64_t seed;
        bool between;
        std::int32_t product = none;  // an atom that is not joined with the others
        bool outside = false;         // whether a neighbour must be none of the nodes
    };
    using Members = std::array<std::uint64_t, most_members>;
    struct List {
        std::vector<PartAtom> atoms;       // that its templates see
        std::vector<std::int32_t> joined;  // numbers of these
        std::vector<Line> lines;
        std::int32_t between = none;  // the column that is seen at the words between
    };

    static std::size_t list_of(PartKind kind) {
        switch (kind) {
            case PartKind::first:
                return 0;
            case PartKind::sibling:
            case PartKind::across:
                return 1;
            case PartKind::inner:
            case PartKind::outer:
                return 2;
            default:
                return 3;
        }
    }

    // The members of a set; the root has one, which is the same in all sets.
    template <typename Values>
    static std::size_t members(Index node, const PartAtom& set, const Values& value, Members& found) {
        if (node == none) return 0;
        if (node == 0) {
            found[0] = root_value;
            return 1;
        }
        std::size_t count = 0;
        while (count < static_cast<std::size_t>(set.size)) {
            const std::uint64_t member = value(node, static_cast<std::size_t>(set.column) + count);
            if (member == missing_value) break;
            found[count++] = member;
        }
        return count;
    }
    template <typename Values>
    static std::uint64_t agreement(const Part& part, const PartAtom& atom, const Values& value) {
        Members one, other;
        const std::size_t size = members(part.nodes[static_cast<std::size_t>(atom.node)], atom, value, one);
        const std::size_t others =
            members(part.nodes[static_cast<std::size_t>(atom.other)], atom, value, other);
        if (size == 0 || others == 0) return missing_value;
        const auto last = other.begin() + static_cast<std::ptrdiff_t>(others);
        const auto shared =
            std::count_if(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(size),
                          [&](std::uint64_t each) { return std::find(other.begin(), last, each) != last; });
        return 1 + static_cast<std::uint64_t>(std::min<std::ptrdiff_t>(shared, 2));
    }

    std::array<List, list_count> lists_;
    std::size_t columns_ = 0;
};

template <typename Values>
std::size_t PartProgram::extract(const Part& part, Index words, const Values& value,
                                 std::span<std::uint64_t> features) const {
    const List& list = lists_[list_of(part.kind)];
    // The kind of a part and the order of its words belong to each of its features.
    std::uint64_t shape = static_cast<std::uint64_t>(part.kind) + 1;
    for (std::size_t i = 1; i < part.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) shape = 2 * shape + (part.nodes[j] < part.nodes[i]);
    }

    std::array<std::uint64_t, most_atoms> values;
    std::bitset<most_atoms> inside;  // neighbours that should be outside
    for (std::size_t i = 0; i < list.atoms.size(); ++i) {
        const PartAtom& atom = list.atoms[i];
        const Index node = part.nodes[static_cast<std::size_t>(atom.node)];
        if (atom.sight == PartSight::column || atom.sight == PartSight::outside) {
            const Index at = node + atom.offset;
            const bool missing = node == none || at < 0 || at > words;
            values[i] = missing   ? missing_value
                        : at == 0 ? root_value
                                  : value(at, static_cast<std::size_t>(atom.column));
            if (atom.sight == PartSight::outside && !missing) {
                inside[i] = std::ranges::find(part.nodes, at) != part.nodes.end();
            }
        } else if (atom.sight == PartSight::distance) {
            values[i] = bin_distance(node - part.nodes[static_cast<std::size_t>(atom.other)]);
        } else if (atom.sight == PartSight::guided) {
            const auto head = static_cast<std::uint32_t>(part.nodes[0]);
            values[i] = 1 + (value(part.nodes[1], static_cast<std::size_t>(atom.column)) == head);
        } else if (atom.sight == PartSight::agreement) {
            values[i] = agreement(part, atom, value);
        } else {
            values[i] = missing_value;
        }
    }

    std::array<std::uint64_t, most_between> between;
    std::size_t found = 0;
    if (list.between != none) {
        const auto [first, last] = std::minmax(part.nodes[0], part.nodes[1]);
        for (Index word = first + 1; word < last && found < most_between; ++word) {
            const std::uint64_t seen = value(word, static_cast<std::size_t>(list.between));
            const auto end = between.begin() + static_cast<std::ptrdiff_t>(found);
            if (std::find(between.begin(), end, seen) == end) between[found++] = seen;
        }
    }

    std::size_t count = 0;
    const auto is_inside = [&](std::int32_t place) { return inside[static_cast<std::size_t>(place)]; };
    for (const Line& line : list.lines) {
        const std::span seen =
            std::span(list.joined)
                .subspan(static_cast<std::size_t>(line.first), static_cast<std::size_t>(line.size));
        if (line.outside && std::ranges::any_of(seen, is_inside)) continue;
        std::uint64_t hash = join(line.seed, shape);
        for (const std::int32_t place : seen) hash = join(hash, values[static_cast<std::size_t>(place)]);
        if (line.product != none) {
            const PartAtom& atom = list.atoms[static_cast<std::size_t>(line.product)];
            Members one, other;
            const std::size_t size =
                members(part.nodes[static_cast<std::size_t>(atom.node)], atom, value, one);
            const std::size_t others =
                members(part.nodes[static_cast<std::size_t>(atom.other)], atom, value, other);
            const std::size_t first = count;
            for (std::size_t i = 0; i < size; ++i) {
                const std::uint64_t half = join(hash, one[i]);
                for (std::size_t j = 0; j < others && count - first < most_pairs; ++j) {
                    features[count++] = finish(join(half, other[j]));
                }
            }
        } else if (line.between) {
            for (std::size_t i = 0; i < found; ++i) features[count++] = finish(join(hash, between[i]));
        } else {
            features[count++] = finish(hash);
        }
    }
    return count;
}

}  // namespace plait
