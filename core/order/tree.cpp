#include "core/order/tree.hpp"

#include <algorithm>

#include "core/features.hpp"
#include "core/hash.hpp"

namespace plait {

namespace {

std::uint32_t bin_size(Index size) {
    constexpr std::array<Index, 7> steps{1, 2, 3, 5, 9, 19, 39};
    return 1 + static_cast<std::uint32_t>(std::ranges::lower_bound(steps, size) - steps.begin());
}

std::uint32_t at_most(std::size_t count, std::size_t most) {
    return static_cast<std::uint32_t>(1 + std::min(count, most));
}

}  // namespace

void OrderTree::read(const OrderSigns& signs, std::span<const std::uint32_t> values, std::size_t columns,
                     std::span<const Index> heads, std::span<const std::int32_t> fixed) {
    words_ = static_cast<Index>(heads.size());
    columns_ = columns;
    width_ = columns + node_shapes;
    const std::size_t nodes = heads.size() + 1;
    cells_.assign(nodes * width_, root_value);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                    cells_.begin() + static_cast<std::ptrdiff_t>((i + 1) * width_));
    }
    fixed_.assign(nodes, 0);
    if (!fixed.empty()) std::ranges::copy(fixed, fixed_.begin() + 1);
    link(heads);
    contents_.assign(nodes, 0);
    sizes_.assign(nodes, 1);
    for (auto node = downwards_.rbegin(); node != downwards_.rend(); ++node) shape(signs, *node);
}

void OrderTree::link(std::span<const Index> heads) {
    const std::size_t nodes = heads.size() + 1;
    heads_.assign(nodes, none);
    starts_.assign(nodes + 1, 0);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        heads_[i + 1] = heads[i];
        ++starts_[static_cast<std::size_t>(heads[i]) + 1];
    }
    for (std::size_t i = 0; i < nodes; ++i) starts_[i + 1] += starts_[i];
    children_.resize(heads.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        children_[next[static_cast<std::size_t>(heads[i])]++] = static_cast<Index>(i + 1);
    }
    downwards_.assign(1, 0);
    for (std::size_t i = 0; i < downwards_.size(); ++i) {
        const auto below = children(downwards_[i]);
        downwards_.insert(downwards_.end(), below.begin(), below.end());
    }
}

void OrderTree::shape(const OrderSigns& signs, Index node) {
    const auto at = static_cast<std::size_t>(node);
    const std::span<Index> below(children_.data() + starts_[at], starts_[at + 1] - starts_[at]);
    std::ranges::stable_sort(below, {}, [&](Index child) { return content(child); });
    std::uint64_t content = mix(at == 0);
    if (node != 0) {
        for (std::size_t i = 0; i < columns_; ++i) content = join(content, value(node, i));
        content = join(content, static_cast<std::uint64_t>(fixed_[at] + (1 << 16)));
    }
    std::size_t grandchildren = 0;
    std::uint64_t labels = 0, tags = 0, marks = 0;
    bool asks =
        node != 0 && std::ranges::find(signs.asking, column(node, NodeColumn::pronoun)) != signs.asking.end();
    for (const Index child : below) {
        content = join(content, this->content(child));
        grandchildren += children(child).size();
        sizes_[at] += sizes_[static_cast<std::size_t>(child)];
        labels += mix(column(child, NodeColumn::label));
        tags += mix(column(child, NodeColumn::upos));
        const std::uint32_t tag = column(child, NodeColumn::upos);
        if (children(child).empty() && std::ranges::find(signs.marking, tag) != signs.marking.end()) {
            marks += mix(column(child, NodeColumn::lemma));
        }
        // Not from deeper down: what asks in a clause inside does not make the whole a question.
        asks = asks || shape_of(child, NodeShape::asks) == 2;
    }
    contents_[at] = mix(content);
    if (node == 0) return;
    shape_of(node, NodeShape::children) = at_most(below.size(), 6);
    shape_of(node, NodeShape::grandchildren) = at_most(grandchildren, 6);
    shape_of(node, NodeShape::size) = bin_size(sizes_[at]);
    shape_of(node, NodeShape::labels) = static_cast<std::uint32_t>(mix(labels) >> 32);
    shape_of(node, NodeShape::tags) = static_cast<std::uint32_t>(mix(tags) >> 32);
    shape_of(node, NodeShape::marks) = static_cast<std::uint32_t>(mix(marks) >> 32);
    const bool own = std::ranges::find(signs.asking, column(node, NodeColumn::pronoun)) != signs.asking.end();
    shape_of(node, NodeShape::asks) = own ? 2 : asks ? 3 : 1;
}

}  // namespace plait
