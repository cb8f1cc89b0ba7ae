// Sums of weights that were found before, by a key. The hypotheses of a beam have most of what is scored in
// common, so those of the present sentence are remembered.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/kernel.hpp"

namespace plait {

template <typename Sum>
class SumMemory {
  public:
    explicit SumMemory(std::size_t width) : stride_(width + block), slots_(1024) {}

    // Before the next sentence.
    void forget() {
        ++sentence_;
        count_ = 0;
    }

    // So that the next `keys` new keys leave the rows that are there where they are.
    void make_room(std::size_t keys) {
        while (2 * (count_ + keys) > slots_.size()) grow();
        if (sums_.size() < (count_ + keys) * stride_) sums_.resize(2 * (count_ + keys) * stride_);
    }

    // The row of a key, for which there must be room, and whether it is new, its sums to be filled in.
    std::pair<std::span<Sum>, bool> find(std::uint64_t key) {
        Slot& slot = slots_[place(key)];
        const bool is_new = slot.sentence != sentence_;
        if (is_new) slot = {key, sentence_, static_cast<std::uint32_t>(count_++)};
        return {std::span(sums_).subspan(slot.number * stride_, stride_), is_new};
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t sentence = 0, number = 0;
    };
    static constexpr std::size_t most = std::size_t{1} << 17;  // then start anew, so that memory stays flat

    // Where a key is, or would be.
    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = static_cast<std::size_t>(finish(key) >> 32) & mask;
        while (slots_[at].sentence == sentence_ && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }
    void grow() {
        if (slots_.size() == most) {
            forget();
            return;
        }
        std::vector<Slot> slots(2 * slots_.size());
        slots.swap(slots_);
        for (const Slot& slot : slots) {
            if (slot.sentence == sentence_) slots_[place(slot.key)] = slot;
        }
    }

    std::size_t stride_;
    std::vector<Sum> sums_;
    std::vector<Slot> slots_;
    std::uint32_t sentence_ = 1;  // to tell its slots from older ones
    std::size_t count_ = 0;
};

}  // namespace plait
