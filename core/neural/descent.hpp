// Who is over whom in a tree, and which arcs cross.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace plait::neural {

class Descent {
  public:
    // False if some words do not hang from the root.
    bool read(std::span<const std::int32_t> heads) {
        const std::size_t nodes = heads.size() + 1;
        first_.assign(nodes + 1, 0);
        for (const std::int32_t head : heads) ++first_[static_cast<std::size_t>(head) + 1];
        roots_ = first_[1];
        for (std::size_t i = 1; i <= nodes; ++i) first_[i] += first_[i - 1];
        children_.resize(heads.size());
        next_.assign(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < heads.size(); ++i) {
            children_[next_[static_cast<std::size_t>(heads[i])]++] = i + 1;
        }
        enter_.assign(nodes, 0);
        leave_.assign(nodes, 0);
        next_.assign(first_.begin(), first_.end() - 1);
        path_.assign(1, 0);
        std::size_t seen = 1;
        while (!path_.empty()) {
            const std::size_t node = path_.back();
            if (next_[node] < first_[node + 1]) {
                const std::size_t child = children_[next_[node]++];
                enter_[child] = seen++;
                path_.push_back(child);
            } else {
                leave_[node] = seen;
                path_.pop_back();
            }
        }
        return seen == nodes;
    }

    // Of a tree that was read: whether a word between a word and its head is not under the head.
    bool crosses(std::size_t word, std::size_t head) const {
        for (std::size_t i = std::min(word, head) + 1; i < std::max(word, head); ++i) {
            if (enter_[i] < enter_[head] || enter_[i] >= leave_[head]) return true;
        }
        return false;
    }

    std::size_t roots() const { return roots_; }

  private:
    std::size_t roots_ = 0;
    std::vector<std::size_t> first_, next_, children_, enter_, leave_, path_;
};

}  // namespace plait::neural
