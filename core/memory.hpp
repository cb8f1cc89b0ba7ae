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
    // With more than half of `most` keys, a power of 2, it starts anew, so that memory stays flat.
    explicit SumMemory(std::size_t width, std::size_t most = std::size_t{1} << 17)
        : stride_(width + block), most_(most), slots_(fewest) {}

    // Before the next sentence. A short one after a long one has few slots again, near each other.
    void forget() {
        ++sentence_;
        count_ = 0;
        mask_ = fewest - 1;
    }

    // So that the next `keys` new keys leave the rows that are there where they are.
    void make_room(std::size_t keys) {
        while (2 * (count_ + keys) > mask_ + 1) grow();
        if (sums_.size() < (count_ + keys) * stride_) sums_.resize(2 * (count_ + keys) * stride_);
    }

    // That a key will be asked for.
    void fetch(std::uint64_t key) const { __builtin_prefetch(&slots_[first_place(key)]); }

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
    static constexpr std::size_t fewest = 1024;

    // Where a key is, or would be.
    std::size_t first_place(std::uint64_t key) const {
        return static_cast<std::size_t>(finish(key) >> 32) & mask_;
    }
    std::size_t place(std::uint64_t key) const {
        std::size_t at = first_place(key);
        while (slots_[at].sentence == sentence_ && slots_[at].key != key) at = (at + 1) & mask_;
        return at;
    }
    void grow() {
        if (mask_ + 1 == most_) {
            forget();
            return;
        }
        kept_.clear();
        for (std::size_t at = 0; at <= mask_; ++at) {
            if (slots_[at].sentence == sentence_) kept_.push_back(slots_[at]);
        }
        mask_ = 2 * mask_ + 1;
        ++sentence_;
        if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
        for (Slot& slot : kept_) {
            slot.sentence = sentence_;
            slots_[place(slot.key)] = slot;
        }
    }

    std::size_t stride_, most_;
    std::vector<Sum> sums_;
    std::vector<Slot> slots_, kept_;
    std::size_t mask_ = fewest - 1;
    std::uint32_t sentence_ = 1;  // to tell its slots from older ones
    std::size_t count_ = 0;
};

}  // namespace plait
