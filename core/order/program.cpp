#include "core/order/program.hpp"

#include <stdexcept>

namespace plait {

namespace {

void check(std::int64_t index, std::size_t size) {
    if (index < 0 || static_cast<std::size_t>(index) >= size) throw std::invalid_argument("no such index");
}

}  // namespace

OrderProgram::OrderProgram(std::size_t columns, std::span<const OrderAtom> atoms,
                           std::span<const std::int32_t> joined, std::span<const std::int32_t> ends,
                           std::span<const std::int32_t> views, OrderSigns signs, std::uint64_t seed)
    : columns_(columns), signs_(std::move(signs)) {
    if (columns < node_columns || columns > 1024) throw std::invalid_argument("wrong number of columns");
    if (ends.size() != views.size()) throw std::invalid_argument("one view per template is needed");
    for (const OrderAtom& atom : atoms) {
        if (atom.place == none) {
            check(atom.argument, order_facts);
        } else {
            check(atom.place, order_places);
            check(atom.argument, columns + node_shapes);
        }
    }
    std::int32_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        check(views[i], order_views);
        if (ends[i] < first || static_cast<std::size_t>(ends[i]) > joined.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        OrderLine line{{}, mix(seed * 0x40007u + i)};
        for (; first < ends[i]; ++first) {
            const std::int32_t number = joined[static_cast<std::size_t>(first)];
            check(number, atoms.size());
            line.atoms.push_back(atoms[static_cast<std::size_t>(number)]);
            const auto& [place, argument] = line.atoms.back();
            placed_ =
                placed_ || (place == none && argument == static_cast<std::int32_t>(OrderFact::distance) &&
                            views[i] != static_cast<std::int32_t>(OrderView::whole));
        }
        lists_[static_cast<std::size_t>(views[i])].push_back(std::move(line));
    }
}

}  // namespace plait
