// What is seen of words beside each other, compiled from template files by Python.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/order/tree.hpp"

namespace plait {

// Of two neighbours, of three, of any two words of which one comes before the other, and of a whole domain.
enum class OrderView : std::uint8_t { pair, triple, before, whole };
inline constexpr std::size_t order_views = 4;

// The first words of a view: of neighbours the words themselves, of a whole domain the first four and, from
// the end, the last four. Then the head of the domain, its own head, and the words beside it in that one's
// domain.
inline constexpr std::size_t view_places = 8, context_places = 4;
inline constexpr std::size_t order_places = view_places + context_places;

// What is no word: which word of the view is the head, or on which side of the head it is; where the view
// ends in the domain; where the head is; how many words there are; whether there is a question mark; on which
// side of its own head the head of the domain stands.
enum class OrderFact : std::uint8_t { head, half, distance, head_place, size, question, side };
inline constexpr std::size_t order_facts = 7;

struct OrderAtom {
    std::int32_t place;     // or `none`: a fact
    std::int32_t argument;  // a column, a shape after the columns, or the number of a fact
};

struct OrderLine {
    std::vector<OrderAtom> atoms;
    std::uint64_t seed;
};

class OrderProgram {
  public:
    // `columns` that words have; `shapes` come after them in the arguments of atoms. `joined` has the atoms
    // of all templates, `ends` where each ends, `views` what each is about.
    OrderProgram(std::size_t columns, std::span<const OrderAtom> atoms, std::span<const std::int32_t> joined,
                 std::span<const std::int32_t> ends, std::span<const std::int32_t> views, OrderSigns signs,
                 std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    const OrderSigns& signs() const { return signs_; }
    std::span<const OrderLine> lines(OrderView view) const { return lists_[static_cast<std::size_t>(view)]; }
    // Whether neighbours are seen with their place in the domain, so that they cannot be remembered.
    bool placed() const { return placed_; }

  private:
    std::size_t columns_;
    OrderSigns signs_;
    std::array<std::vector<OrderLine>, order_views> lists_;
    bool placed_ = false;
};

}  // namespace plait
