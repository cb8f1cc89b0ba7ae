// Memory for large tables that are read at random: on huge pages where the system has them, because otherwise
// most reads would miss the address translation cache too.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace plait {

template <typename T>
struct HugePages {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{1} << 21;

    HugePages() = default;
    template <typename U>
    HugePages(const HugePages<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, bytes);
        if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }
    bool operator==(const HugePages&) const { return true; }
};

template <typename T>
using Table = std::vector<T, HugePages<T>>;

}  // namespace plait
