#include "core/projective.hpp"

#include <algorithm>

namespace plait {

void projective_order(const Tree& tree, std::span<Index> position) {
    // Each frame is a node and how many of its dependents are done; the node itself comes between
    // its left and its right ones.
    struct Frame {
        Index node;
        std::size_t done;
        bool placed;
    };
    std::vector<Frame> path{{0, 0, false}};
    Index place = 0;
    while (!path.empty()) {
        Frame& frame = path.back();
        const auto dependents = tree.dependents(frame.node);
        const bool before_node = frame.done < dependents.size() && dependents[frame.done] < frame.node;
        if (!before_node && !frame.placed) {
            frame.placed = true;
            if (frame.node != 0) position[static_cast<std::size_t>(frame.node - 1)] = ++place;
        } else if (frame.done < dependents.size()) {
            const Index next = dependents[frame.done++];
            path.push_back({next, 0, false});
        } else {
            path.pop_back();
        }
    }
}

void projective_components(const Tree& tree, std::span<Index> component) {
    const Index n = tree.size();
    std::vector<Index> missing(static_cast<std::size_t>(n) + 1);  // dependents not yet attached
    for (Index node = 0; node <= n; ++node) {
        missing[static_cast<std::size_t>(node)] = static_cast<Index>(tree.dependents(node).size());
    }
    std::vector<Index> built(static_cast<std::size_t>(n) + 1, -1);  // the heads attached so far
    std::vector<Index> stack{0};
    for (Index word = 1; word <= n; ++word) {
        stack.push_back(word);
        while (stack.size() > 1) {
            const Index top = stack.back(), below = stack[stack.size() - 2];
            if (below != 0 && tree.head(below) == top && missing[static_cast<std::size_t>(below)] == 0) {
                built[static_cast<std::size_t>(below)] = top;
                stack.erase(stack.end() - 2);
                --missing[static_cast<std::size_t>(top)];
            } else if (tree.head(top) == below && missing[static_cast<std::size_t>(top)] == 0) {
                built[static_cast<std::size_t>(top)] = below;
                stack.pop_back();
                --missing[static_cast<std::size_t>(below)];
            } else {
                break;
            }
        }
    }
    for (const Index node : tree.topdown()) {
        if (node == 0) continue;
        const Index head = built[static_cast<std::size_t>(node)];
        component[static_cast<std::size_t>(node - 1)] =
            head == -1 ? node : (head == 0 ? 0 : component[static_cast<std::size_t>(head - 1)]);
    }
}

}  // namespace plait
