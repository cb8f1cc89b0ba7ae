// Learning the steps: passive-aggressive, averaged (Crammer et al. 2006; Bohnet 2009, section 3).
#pragma once

#include "core/learn/order.hpp"
#include "core/roles/apply.hpp"

namespace plait {

// One table of weights, for one step. An example is a sentence; all give the number of updates.
class RoleLearner {
  public:
    RoleLearner(int bits, std::size_t width, float longest_step)
        : kernel_(bits, width), averaged_(kernel_), longest_step_(longest_step) {}
    RoleLearner(const RoleLearner&) = delete;
    RoleLearner& operator=(const RoleLearner&) = delete;

    std::size_t width() const { return kernel_.windows.width(); }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }
    const Kernel& kernel() const { return kernel_; }

    // `right` has a flag for every word.
    std::int64_t learn_predicates(const RoleProgram& program, const RoleBatch& batch,
                                  std::span<const std::uint8_t> right, std::span<const std::int64_t> order);
    // The words of the batch are the arguments.
    std::int64_t learn_arguments(const RoleProgram& program, const RoleBatch& batch, std::uint32_t reach,
                                 std::span<const std::int64_t> order);
    // `roles` are the right ones of the words of the batch.
    std::int64_t learn_roles(const RoleModel& model, const RoleBatch& batch, std::span<const RoleId> roles,
                             std::span<const std::int64_t> order);
    // `sets` are some of every predicate, with how many errors each has, and what they score without these
    // weights.
    std::int64_t learn_sets(const RoleModel& model, const RoleBatch& batch, const FoundSets& sets,
                            std::span<const std::int32_t> errors, std::span<const std::int64_t> order);
    std::int64_t learn_senses(const RoleProgram& program, const RoleBatch& batch, const SenseLists& lists,
                              std::span<const std::int32_t> right, std::span<const std::int64_t> order);

  private:
    bool learn_yes_or_no(std::span<const std::uint64_t> features, bool yes);

    Kernel kernel_;
    Averaged averaged_;
    float longest_step_;
};

}  // namespace plait
