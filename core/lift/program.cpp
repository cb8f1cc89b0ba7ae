#include "core/lift/program.hpp"

#include <array>
#include <stdexcept>

namespace plait {

namespace {

void check(std::int64_t index, std::size_t size) {
    if (index < 0 || static_cast<std::size_t>(index) >= size) throw std::invalid_argument("no such index");
}

using Relations = std::array<std::vector<Index>, lift_relations>;

void relate(const LiftedTree& tree, Index word, Relations& relations) {
    auto& [children, siblings, uncles, grandchildren, nephews, cousins] = relations;
    for (auto& each : relations) each.clear();
    const Index head = tree.head(word), above = tree.head(head);
    const auto add = [&](std::vector<Index>& list, Index parent) {
        list.insert(list.end(), tree.children(parent).begin(), tree.children(parent).end());
    };
    add(children, word);
    for (const Index child : children) add(grandchildren, child);
    for (const Index other : tree.children(head)) {
        if (other == word) continue;
        siblings.push_back(other);
        add(nephews, other);
    }
    if (above == none) return;
    for (const Index other : tree.children(above)) {
        if (other == head) continue;
        uncles.push_back(other);
        add(cousins, other);
    }
}

}  // namespace

LiftProgram::LiftProgram(std::size_t columns, std::span<const LiftAtom> atoms,
                         std::span<const std::int32_t> joined, std::span<const std::int32_t> ends,
                         OrderSigns signs, std::uint64_t seed)
    : columns_(columns), signs_(std::move(signs)) {
    if (columns < node_columns || columns > 1024) throw std::invalid_argument("wrong number of columns");
    const std::size_t values = columns + node_shapes;
    std::int32_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i] < first || static_cast<std::size_t>(ends[i]) > joined.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        Line line;
        line.seed = mix(seed * 0x80021u + i);
        for (; first < ends[i]; ++first) {
            check(joined[static_cast<std::size_t>(first)], atoms.size());
            const LiftAtom atom = atoms[static_cast<std::size_t>(joined[static_cast<std::size_t>(first)])];
            check(atom.place, lift_places);
            check(atom.argument, values + lift_sizes);
            const bool single = static_cast<std::size_t>(atom.place) < lift_ancestors;
            if (static_cast<std::size_t>(atom.argument) >= values) {
                if (!single) throw std::invalid_argument("only the size of a single word is seen");
                line.sized = atom.place;
                line.size = atom.argument - static_cast<std::int32_t>(values);
            } else if (single) {
                line.atoms.push_back(atom);
            } else {
                if (line.relation != none && line.relation != atom.place) {
                    throw std::invalid_argument("a template has at most one relation of several words");
                }
                line.relation = atom.place;
                line.several.push_back(atom.argument);
            }
        }
        lines_.push_back(std::move(line));
    }
}

void LiftProgram::extract(const OrderTree& values, const LiftedTree& tree, Index word,
                          std::vector<LiftFeature>& features) const {
    static thread_local Relations relations;
    relate(tree, word, relations);
    std::array<Index, lift_ancestors> above;
    above[0] = word;
    for (std::size_t i = 1; i < lift_ancestors; ++i) above[i] = tree.head(above[i - 1]);
    std::array<float, lift_ancestors> sizes;
    sizes.fill(-1);
    features.clear();
    for (const Line& line : lines_) {
        std::uint64_t hash = line.seed;
        for (const auto [place, argument] : line.atoms) {
            const Index node = above[static_cast<std::size_t>(place)];
            hash = join(
                hash, node == none ? missing_value : values.value(node, static_cast<std::size_t>(argument)));
        }
        if (line.sized != none) {
            const auto at = static_cast<std::size_t>(line.sized);
            if (above[at] == none) continue;
            if (sizes[at] < 0) sizes[at] = static_cast<float>(tree.size(above[at]));
            const float value =
                line.size == 0 ? std::log(sizes[at]) / 4 : sizes[at] / static_cast<float>(tree.words());
            features.push_back({finish(hash), value});
        } else if (line.relation == none) {
            features.push_back({finish(hash), 1});
        } else {
            for (const Index node : relations[static_cast<std::size_t>(line.relation) - lift_ancestors]) {
                std::uint64_t own = hash;
                for (const std::int32_t argument : line.several) {
                    own = join(own, values.value(node, static_cast<std::size_t>(argument)));
                }
                features.push_back({finish(own), 1});
            }
        }
    }
}

}  // namespace plait
