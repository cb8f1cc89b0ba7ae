// Loaded before everything else, it lets an allocation of C++ fail: the nth from now on, or that and all
// after it.
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> left{-1};    // until the one that fails; below 0 none does
std::atomic<bool> all{false};  // whether those after it fail too
std::atomic<long> made{0};

bool fails() noexcept {
    ++made;
    if (left.load(std::memory_order_relaxed) < 0) return false;
    const long now = left.fetch_sub(1);
    if (now > 0) return false;
    if (all) left = 0;
    return now == 0;
}

void* allocate(std::size_t size, std::size_t alignment = 0) noexcept {
    if (fails()) return nullptr;
    size = size == 0 ? 1 : size;
    return alignment == 0 ? std::malloc(size)
                          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* need(void* found) {
    if (found == nullptr) throw std::bad_alloc();
    return found;
}

}  // namespace

extern "C" void plait_fail(long which, int after) {
    all = after != 0;
    left = which;
}
extern "C" long plait_allocations() { return made; }

void* operator new(std::size_t size) { return need(allocate(size)); }
void* operator new[](std::size_t size) { return need(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return need(allocate(size, static_cast<std::size_t>(alignment)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return need(allocate(size, static_cast<std::size_t>(alignment)));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
