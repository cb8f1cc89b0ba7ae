// Learning to order domains (Bohnet et al. 2012, section 4): where another order than the right one scores
// best, or nearly so, a passive-aggressive step (Crammer et al. 2006) from it towards the right one. Words
// that cannot be told apart are never in the wrong order.
#pragma once

#include "core/learn/difference.hpp"
#include "core/learn/order.hpp"
#include "core/order/batch.hpp"

namespace plait {

struct OrderReport {
    std::int64_t domains = 0, wrong = 0, updates = 0;
};

class OrderLearner {
  public:
    OrderLearner(const OrderProgram& program, int bits, std::size_t beam, float longest_step)
        : program_(program),
          kernel_(bits, 1),
          averaged_(kernel_),
          search_(program_, kernel_, beam),
          longest_step_(longest_step) {}
    OrderLearner(const OrderLearner&) = delete;
    OrderLearner& operator=(const OrderLearner&) = delete;

    const OrderProgram& program() const { return program_; }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    // One pass over the sentences named in `order`; their words stand in the right order.
    OrderReport learn(const UnorderedTrees& trees, std::span<const std::int64_t> order) {
        report_ = {};
        each_in_order(order, trees.size(), [&](std::size_t i) {
            trees.read(program_.signs(), i, tree_);
            for (const Index node : tree_.downwards()) {
                if (tree_.children(node).size() + (node != 0) > 1) learn(node);
            }
            averaged_.next_example();
        });
        return report_;
    }

  private:
    // Words are numbered in their order.
    std::vector<Index> right_order(Index node) const {
        std::vector<Index> order(tree_.children(node).begin(), tree_.children(node).end());
        if (node != 0) order.push_back(node);
        std::ranges::sort(order);
        return order;
    }

    void learn(Index node) {
        OrderContext context;
        if (node != 0) context = context_in(right_order(tree_.head(node)), tree_.head(node), node);
        domain_.read(tree_, node, context);
        gold_.clear();
        for (Member member = 0; member < static_cast<Member>(domain_.size()); ++member) {
            gold_.push_back(member);
        }
        std::ranges::sort(gold_, {}, [&](Member member) { return domain_.node(member); });
        ++report_.domains;
        const auto found = search_.run(domain_, 2);
        const bool right = same(found[0].members);
        report_.wrong += !right;
        if (right && found.size() < 2) return;
        const DomainOrder& rival = found[right ? 1 : 0];
        const float gold = search_.scorer().score(gold_);
        const double loss = 1.0 + static_cast<double>(rival.score) - static_cast<double>(gold);
        if (loss <= 0) return;
        difference_.clear();
        collect(gold_, 1);
        collect(rival.members, -1);
        const double norm = difference_.merge();
        if (norm == 0) return;
        ++report_.updates;
        difference_.apply(averaged_, std::min(loss / norm, static_cast<double>(longest_step_)));
    }

    bool same(std::span<const Member> order) const {
        return std::ranges::equal(
            order, gold_, {}, [&](Member member) { return domain_.twin(member); },
            [&](Member member) { return domain_.twin(member); });
    }

    void collect(std::span<const Member> order, std::int32_t sign) {
        search_.scorer().each(
            order, [&](std::uint64_t feature) { difference_.add(averaged_.windows().cell(feature), sign); });
    }

    const OrderProgram program_;
    Kernel kernel_;
    Averaged averaged_;
    DomainSearch<Kernel> search_;
    float longest_step_;
    OrderTree tree_;
    Domain domain_;
    std::vector<Member> gold_;
    Difference difference_;
    OrderReport report_;
};

}  // namespace plait
