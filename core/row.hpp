// Stack and buffer as one row of cells with a gap: the stack grows from the left end, its top before the gap,
// the buffer ends at the right end, its front behind the gap. Every transition moves the edges of the gap.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/transition.hpp"

namespace plait {

enum class RootPlace { under_stack, after_words };

class Row {
  public:
    void reset(Index words, RootPlace root) {
        cells_.resize(static_cast<std::size_t>(words) + 1);
        if (root == RootPlace::under_stack) {
            std::iota(cells_.begin(), cells_.end(), 0);
            top_ = front_ = 1;
        } else {
            std::iota(cells_.begin(), cells_.end(), 1);
            cells_.back() = 0;
            top_ = front_ = 0;
        }
    }

    std::size_t stack_size() const { return top_; }
    std::size_t buffer_size() const { return cells_.size() - front_; }
    std::size_t size() const { return stack_size() + buffer_size(); }

    // Counted from the top of the stack and from the front of the buffer.
    Index stack(std::size_t depth) const { return depth < top_ ? cells_[top_ - 1 - depth] : none; }
    Index buffer(std::size_t depth) const { return depth < buffer_size() ? cells_[front_ + depth] : none; }
    std::span<const Index> stack() const { return {cells_.data(), top_}; }  // bottom first
    std::span<const Index> buffer() const { return {cells_.data() + front_, buffer_size()}; }

    void shift() { cells_[top_++] = cells_[front_++]; }
    void drop_top() { --top_; }
    void drop_below_top() {
        cells_[top_ - 2] = cells_[top_ - 1];
        --top_;
    }
    void drop_front() { ++front_; }
    void return_below_top() {  // SWAP: stack(1) goes back to the buffer
        const Index below = cells_[top_ - 2];
        drop_below_top();
        cells_[--front_] = below;  // only now: without a gap this is where the top was
    }

    // `pack` appends stack and buffer without the gap; `unpack` puts them back into a row of the same words.
    void pack(std::vector<Index>& cells) const {
        cells.insert(cells.end(), stack().begin(), stack().end());
        cells.insert(cells.end(), buffer().begin(), buffer().end());
    }
    void unpack(std::span<const Index> cells, std::size_t stack_size) {
        std::copy_n(cells.begin(), stack_size, cells_.begin());
        std::copy(cells.begin() + static_cast<std::ptrdiff_t>(stack_size), cells.end(),
                  cells_.end() - static_cast<std::ptrdiff_t>(cells.size() - stack_size));
        top_ = stack_size;
        front_ = cells_.size() - (cells.size() - stack_size);
    }

  private:
    std::vector<Index> cells_;
    std::size_t top_ = 0, front_ = 0;
};

}  // namespace plait
