// What is seen of a predicate and a word of its sentence (Bohnet 2009, Table 5): where to look (addresses),
// what to see there (atoms), what to join (templates). All are data, compiled from template files by Python.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/transition.hpp"
#include "core/tree.hpp"

namespace plait {

// The words of a sentence: values in columns, as in core/features.hpp, and the tree over them.
class RoleSentence {
  public:
    RoleSentence(std::span<const std::uint32_t> values, std::size_t columns, std::span<const Index> heads,
                 std::size_t labels);

    Index size() const { return static_cast<Index>(heads_.size()); }
    Index head(Index word) const { return word <= 0 ? none : heads_[static_cast<std::size_t>(word - 1)]; }
    std::uint32_t value(Index node, std::size_t column) const {
        if (node <= 0) return node == 0 ? root_value : missing_value;
        return values_[static_cast<std::size_t>(node - 1) * columns_ + column];
    }
    std::span<const Index> children(Index node) const {
        const auto at = static_cast<std::size_t>(node);
        return std::span(children_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
    }
    std::uint32_t label(Index node) const { return value(node, labels_); }

    static constexpr std::uint32_t missing_value = 0, root_value = 1;

  private:
    std::span<const std::uint32_t> values_;
    std::size_t columns_, labels_;
    std::span<const Index> heads_;
    std::vector<Index> children_;  // of the root, then of every word, in the order of the sentence
    std::vector<std::size_t> starts_;
};

enum class Family : std::uint8_t { self, parent, child, ancestor, descendant, other };

// The ways through the tree from every word to a predicate, over their lowest common ancestor.
class Paths {
  public:
    // `columns`: of which the values along the way are wanted too.
    void find(const RoleSentence& sentence, Index predicate, std::span<const std::int32_t> columns);

    std::uint64_t shape(Index word) const { return shapes_[at(word)]; }
    std::uint32_t length(Index word) const { return lengths_[at(word)]; }
    Family family(Index word) const { return families_[at(word)]; }
    std::uint64_t along(Index word, std::size_t which) const { return along_[which][at(word)]; }

  private:
    static std::size_t at(Index word) { return static_cast<std::size_t>(word); }
    void reach(const RoleSentence& sentence, Index from, Index to, bool up,
               std::span<const std::int32_t> columns);

    std::vector<std::uint64_t> shapes_;
    std::vector<std::uint32_t> lengths_;
    std::vector<Family> families_;
    std::vector<std::vector<std::uint64_t>> along_;
    std::vector<Index> queue_;
};

enum class RoleMove : std::uint8_t {
    offset,  // so many words to the right
    parent,
    first_child,
    last_child,
    first_sibling,  // of all children of its head
    last_sibling,
    left_sibling,
    right_sibling,
    child  // the first one with a label
};
inline constexpr std::size_t role_moves = 9;

enum class RoleBase : std::uint8_t { predicate, argument, each_child, each_argument };
inline constexpr std::size_t role_bases = 4;

struct RoleStep {
    RoleMove move;
    std::int64_t argument;  // how many words, or which label
};

struct RoleAddress {
    RoleBase base;
    std::vector<RoleStep> steps;
};

enum class RoleSight : std::uint8_t {
    column,
    children,   // the values of all children in order, and where among them the word itself is
    direction,  // of the argument, from the predicate
    distance,   // words between them, binned
    path,
    path_length,
    path_column,
    family,
    previous,  // the role before this one
    used,      // which core roles there are already
    sense,     // of the predicate
    role,      // of each argument
    sequence,  // all roles in the order of their words, with the place of the predicate
    core       // the core ones
};
inline constexpr std::size_t role_sights = 14;

struct RoleAtom {
    RoleSight sight;
    std::int32_t address;   // for a column, children and roles
    std::int32_t argument;  // the column; of a path, which of those along it
};

struct Assigned {
    Index word;
    std::int32_t role;
};

// A predicate and a word that is looked at as its argument, with what has been decided.
struct RoleView {
    const RoleSentence& sentence;
    const Paths& paths;
    Index predicate;
    Index argument = none;
    std::uint32_t sense = 0;
    std::uint32_t previous = 0;
    std::uint64_t used = 0;
    std::uint64_t sequence = 0;
    std::uint64_t core = 0;
    std::span<const Assigned> arguments{};
};

// dist of Bohnet 2009, section 4: words between, 0 to 5 as they are, 6 for 6 to 10, 11 above.
std::uint32_t bin_between(Index one, Index other);

class RoleProgram {
  public:
    // `joined` holds the atoms of all templates one after the other, `ends` where each ends; `along` are the
    // columns that paths are seen with.
    RoleProgram(std::vector<RoleAddress> addresses, std::vector<RoleAtom> atoms,
                std::vector<std::int32_t> joined, std::span<const std::int32_t> ends,
                std::vector<std::int32_t> along, std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    std::size_t size() const { return templates_.size(); }
    std::span<const std::int32_t> along() const { return along_; }

    // The features as 64-bit hashes. Templates that look at each child or at each argument give one for each.
    void extract(const RoleView& view, std::vector<std::uint64_t>& features) const;

    static constexpr std::size_t most_templates = 512, most_steps = 3;
    static constexpr std::size_t most_each = 12, most_features = 1024;

  private:
    struct Template {
        std::size_t first, last;
        std::uint64_t seed;
        RoleBase each;  // `predicate` if it gives one feature only
    };

    Index find(const RoleAddress& address, const RoleView& view, Index base) const;
    std::uint64_t see(const RoleAtom& atom, const RoleView& view, Index node, std::int32_t role) const;
    Index node_of(const RoleAtom& atom, const RoleView& view, Index each) const;

    std::vector<RoleAddress> addresses_;
    std::vector<RoleAtom> atoms_;
    std::vector<std::int32_t> joined_;
    std::vector<Template> templates_;
    std::vector<std::int32_t> along_;
    std::vector<bool> repeated_;  // of atoms: looked at for each child or argument
    std::size_t columns_ = 0;
};

}  // namespace plait
