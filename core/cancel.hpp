// Work that nobody waits for any longer ends soon: whatever can take long looks at a flag on its way.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>

namespace plait {

struct Cancelled : std::exception {
    const char* what() const noexcept override { return "the work was cancelled"; }
};

// A flag that any thread may set, once and for all. It is up too when the one above it is.
class Cancel {
  public:
    explicit Cancel(const Cancel* above = nullptr) : above_(above) {}

    void cancel() noexcept { flag_.store(true, std::memory_order_relaxed); }
    bool cancelled() const noexcept {
        return flag_.load(std::memory_order_relaxed) || (above_ != nullptr && above_->cancelled());
    }

  private:
    std::atomic<bool> flag_{false};
    const Cancel* above_;
};

// What the work of this thread looks at, for as long as the watch lives. Found through the thread and not
// handed down from function to function, since nearly all of them would only pass it on.
class Watch {
  public:
    using Look = void (*)();  // something else to look at now and then; may throw

    // It looks at a flag of its own, if there is one, and at those of the watch before it.
    explicit Watch(const Cancel* cancel, Look besides = nullptr)
        : before_(current_), above_(current_), cancel_(cancel), look_(besides) {
        current_ = this;
    }
    // For a thread that helps with the work of another, whose watch this is.
    Watch(const Cancel* cancel, const Watch* above) : before_(current_), above_(above), cancel_(cancel) {
        current_ = this;
    }
    ~Watch() { current_ = before_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    static Watch* current() { return current_; }
    Look look() const { return look_; }

    bool cancelled() const noexcept {
        return (cancel_ != nullptr && cancel_->cancelled()) || (above_ != nullptr && above_->cancelled());
    }
    void check() {
        if (cancelled()) throw Cancelled();
        if (look_ != nullptr && (++checks_ & 15u) == 0) look_when_due();
    }

  private:
    using Clock = std::chrono::steady_clock;

    void look_when_due() {
        const Clock::time_point now = Clock::now();
        if (now - looked_ < std::chrono::milliseconds(50)) return;
        looked_ = now;
        look_();
    }

    inline static thread_local constinit Watch* current_ = nullptr;
    Watch* before_;
    const Watch* above_;
    const Cancel* cancel_;
    Look look_ = nullptr;
    unsigned checks_ = 0;
    Clock::time_point looked_ = Clock::now();
};

// To be called wherever a step of long work begins: once for every transition, row of a chart, word.
inline void check_cancelled() {
    if (Watch* const watch = Watch::current()) watch->check();
}

}  // namespace plait
