// The same work on several threads; what there is to do they share out among themselves.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/cancel.hpp"

namespace plait {

// What one of them throws ends the others too, and is thrown when all have ended.
template <typename Work>
void on_threads(int threads, const Work& work) {
    if (threads == 1) {
        work();
        return;
    }
    const Watch* const watch = Watch::current();
    Cancel stop;
    std::mutex mutex;
    std::exception_ptr first;
    const auto fail = [&] {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
        stop.cancel();
    };
    {
        std::vector<std::jthread> others;
        try {
            for (int i = 1; i < threads; ++i) {
                others.emplace_back([&] {
                    const Watch own(&stop, watch);
                    try {
                        work();
                    } catch (...) {
                        fail();
                    }
                });
            }
            const Watch own(&stop, watch != nullptr ? watch->look() : nullptr);
            work();
        } catch (...) {
            fail();
        }
    }
    if (first) std::rethrow_exception(first);
}

}  // namespace plait
