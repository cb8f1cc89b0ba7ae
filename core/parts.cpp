#include "core/parts.hpp"

#include <algorithm>
#include <stdexcept>

namespace plait {

namespace {

void check(std::int64_t index, std::size_t size) {
    if (index < 0 || static_cast<std::size_t>(index) >= size) throw std::invalid_argument("no such index");
}

}  // namespace

PartProgram::PartProgram(std::vector<PartAtom> atoms, std::vector<std::int32_t> joined,
                         std::span<const std::int32_t> ends, std::span<const std::int32_t> lists,
                         std::uint64_t seed) {
    if (lists.size() != list_count) throw std::invalid_argument("four lists of templates are needed");
    constexpr std::array<std::size_t, list_count> nodes{2, 3, 3, 4};
    std::int32_t first = 0;
    std::size_t next = 0;
    for (std::size_t number = 0; number < list_count; ++number) {
        List& list = lists_[number];
        check(lists[number], ends.size() + 1);
        std::size_t most = 0;
        for (; next < static_cast<std::size_t>(lists[number]); ++next) {
            if (ends[next] < first || static_cast<std::size_t>(ends[next]) > joined.size()) {
                throw std::invalid_argument("templates must end in order");
            }
            Line line{static_cast<std::int32_t>(list.joined.size()), 0,
                      mix((seed + 1) * 0x20003u + (number << 12) + list.lines.size()), false};
            for (std::int32_t i = first; i < ends[next]; ++i) {
                check(joined[static_cast<std::size_t>(i)], atoms.size());
                const PartAtom& atom = atoms[static_cast<std::size_t>(joined[static_cast<std::size_t>(i)])];
                check(atom.node, nodes[number]);
                if (atom.offset < -1 || atom.offset > 1) throw std::invalid_argument("no such neighbour");
                check(atom.other, nodes[number]);
                check(atom.size - 1, most_members);
                if (atom.sight == PartSight::outside) {
                    if (atom.offset == 0) throw std::invalid_argument("a word of the part is not outside");
                    line.outside = true;
                }
                if (atom.sight != PartSight::distance) {
                    check(atom.column, 1024);
                    columns_ = std::max(columns_, static_cast<std::size_t>(atom.column + atom.size));
                }
                if (atom.sight == PartSight::between) {
                    if (list.between != none && list.between != atom.column) {
                        throw std::invalid_argument("only one column can be seen between two words");
                    }
                    list.between = atom.column;
                    line.between = true;
                    continue;
                }
                const auto known = std::ranges::find(list.atoms, atom);
                const auto place = static_cast<std::int32_t>(known - list.atoms.begin());
                if (known == list.atoms.end()) list.atoms.push_back(atom);
                if (atom.sight == PartSight::product) {
                    if (line.product != none) throw std::invalid_argument("a line has one product at most");
                    line.product = place;
                } else {
                    list.joined.push_back(place);
                }
            }
            if (line.between && line.product != none) {
                throw std::invalid_argument("a line has a product or sees all words between");
            }
            line.size = static_cast<std::int32_t>(list.joined.size()) - line.first;
            most += line.between ? most_between : line.product != none ? most_pairs : 1;
            list.lines.push_back(line);
            first = ends[next];
        }
        if (list.atoms.size() > most_atoms || most > most_features) {
            throw std::invalid_argument("too many templates for one kind of part");
        }
    }
}

}  // namespace plait
