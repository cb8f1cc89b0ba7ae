// Numbers from Python that name something in the core: none is taken for another.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

// `count`: how many of them there are, counted from 0.
template <typename Code>
Code to_code(std::int64_t number, std::size_t count, const char* name) {
    if (number < 0 || static_cast<std::size_t>(number) >= count) {
        throw std::invalid_argument("no such " + std::string(name) + ": " + std::to_string(number));
    }
    return static_cast<Code>(number);
}
