// The order in which a pass of training goes through its examples.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace plait {

// Calls `use(number)` for the examples named in `order`, of `size` that there are.
template <typename Use>
void each_in_order(std::span<const std::int64_t> order, std::size_t size, Use use) {
    for (const std::int64_t number : order) {
        if (number < 0 || static_cast<std::size_t>(number) >= size) {
            throw std::invalid_argument("there is no example " + std::to_string(number) + " to learn from");
        }
        use(static_cast<std::size_t>(number));
    }
}

}  // namespace plait
