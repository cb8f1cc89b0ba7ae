// The words of whole trees in order: domains from the top to the bottom, each put into the place of its head
// in the domain above (Bohnet et al. 2012, section 4). A domain sees where its head stands.
#pragma once

#include "core/order/search.hpp"

namespace plait {

struct SentenceOrder {
    std::vector<Index> words;  // in their order
    double score = 0;
};

template <typename Weights>
class SentenceSearch {
  public:
    SentenceSearch(const OrderProgram& program, const Weights& weights, std::size_t beam)
        : search_(program, weights, beam) {}

    // At most so many orders of the words, the best first; at least one.
    std::vector<SentenceOrder> run(const OrderTree& tree, std::size_t best) {
        drafts_.assign(1,
                       Draft{std::vector<std::vector<Index>>(static_cast<std::size_t>(tree.words()) + 1), 0});
        for (const Index node : tree.downwards()) {
            if (!tree.children(node).empty()) extend(tree, node, best);
        }
        std::vector<SentenceOrder> found;
        for (const Draft& draft : drafts_) found.push_back({assemble(draft), draft.score});
        return found;
    }

  private:
    struct Draft {
        std::vector<std::vector<Index>> orders;  // of every domain so far, by its head
        double score;
    };
    struct Known {
        OrderContext context;
        std::vector<std::pair<std::vector<Index>, float>> orders;
    };

    void extend(const OrderTree& tree, Index node, std::size_t best) {
        known_.clear();
        next_.clear();
        for (const Draft& draft : drafts_) {
            for (const auto& [order, score] : look_up(tree, node, context_of(tree, draft, node), best)) {
                if (best == 1) {
                    drafts_[0].orders[static_cast<std::size_t>(node)] = order;
                    drafts_[0].score += score;
                    return;
                }
                next_.push_back(draft);
                next_.back().orders[static_cast<std::size_t>(node)] = order;
                next_.back().score += score;
            }
        }
        std::ranges::stable_sort(next_, std::ranges::greater{}, &Draft::score);
        if (next_.size() > best) next_.resize(best);
        drafts_.swap(next_);
    }

    const std::vector<std::pair<std::vector<Index>, float>>& look_up(const OrderTree& tree, Index node,
                                                                     const OrderContext& context,
                                                                     std::size_t best) {
        for (const Known& known : known_) {
            if (known.context == context) return known.orders;
        }
        domain_.read(tree, node, context);
        Known known{context, {}};
        for (const DomainOrder& order : search_.run(domain_, best)) {
            std::vector<Index> nodes;
            for (const Member member : order.members) nodes.push_back(domain_.node(member));
            known.orders.emplace_back(std::move(nodes), order.score);
        }
        known_.push_back(std::move(known));
        return known_.back().orders;
    }

    static OrderContext context_of(const OrderTree& tree, const Draft& draft, Index node) {
        if (node == 0) return {};
        const Index above = tree.head(node);
        return context_in(draft.orders[static_cast<std::size_t>(above)], above, node);
    }

    // From the root's domain down, each word in the place it has there.
    std::vector<Index> assemble(const Draft& draft) {
        std::vector<Index> words;
        stack_.assign(1, {0, false});
        while (!stack_.empty()) {
            const auto [node, done] = stack_.back();
            stack_.pop_back();
            const auto& order = draft.orders[static_cast<std::size_t>(node)];
            if (done || order.empty()) {
                words.push_back(node);
                continue;
            }
            for (std::size_t i = order.size(); i-- > 0;) stack_.push_back({order[i], order[i] == node});
        }
        return words;
    }

    DomainSearch<Weights> search_;
    Domain domain_;
    std::vector<Draft> drafts_, next_;
    std::vector<Known> known_;
    std::vector<std::pair<Index, bool>> stack_;
};

}  // namespace plait
