// What is known of words from the training text: how often they are capitalized, and where.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/text/paragraph.hpp"

namespace plait {

// Small numbers for words, by the hashes of their lower-case forms; 0 for unknown words.
class Lexicon {
  public:
    Lexicon(std::span<const std::uint32_t> hashes, std::span<const std::uint8_t> kinds) {
        if (hashes.size() != kinds.size()) throw std::invalid_argument("one kind per word is needed");
        std::size_t size = 2;
        while (size < 2 * hashes.size()) size *= 2;
        slots_.resize(size);
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            Slot& slot = slots_[find(hashes[i])];
            slot = {hashes[i], kinds[i]};
        }
    }

    std::uint64_t kind(std::uint64_t hash) const {
        return slots_[find(static_cast<std::uint32_t>(hash))].kind;
    }

  private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint8_t kind = 0;  // 0: the slot is free
    };

    std::size_t find(std::uint32_t hash) const {
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place].kind != 0 && slots_[place].hash != hash)
            place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    std::vector<Slot> slots_;
};

// One entry per word of a text, in order.
struct WordList {
    std::vector<std::uint32_t> hashes;
    std::vector<std::uint8_t>
        cases;  // 0: lower, 1: capitalized, 2: capitalized as the first word of a sentence
    std::vector<std::int64_t> places;  // the numbers of their lessons
};

}  // namespace plait
