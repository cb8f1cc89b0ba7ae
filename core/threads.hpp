// The same work on several threads; what there is to do they share out among themselves.
#pragma once

#include <thread>
#include <vector>

namespace plait {

template <typename Work>
void on_threads(int threads, const Work& work) {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
}

}  // namespace plait
