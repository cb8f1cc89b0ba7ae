// A head with its children: which of them may come next, and what an order of them is worth.
#pragma once

#include <algorithm>
#include <limits>

#include "core/kernel.hpp"
#include "core/order/program.hpp"

namespace plait {

using Member = std::int32_t;  // the number of a word in its domain
inline constexpr Member before_first = -1, after_last = -2;

// Where the head of a domain stands in the domain of its own head.
struct OrderContext {
    Index before = none, after = none;
    std::uint32_t side = 0;  // 1: before its head, 2: after it

    bool operator==(const OrderContext&) const = default;
};

// Where `node` stands in the order of the domain of `head`.
inline OrderContext context_in(std::span<const Index> order, Index head, Index node) {
    OrderContext context;
    bool passed = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        passed = passed || order[i] == head;
        if (order[i] != node) continue;
        context.before = i > 0 ? order[i - 1] : none;
        context.after = i + 1 < order.size() ? order[i + 1] : none;
        context.side = head == 0 ? 0 : passed ? 2 : 1;
    }
    return context;
}

class Domain {
  public:
    void read(const OrderTree& tree, Index head, const OrderContext& context) {
        tree_ = &tree;
        context_ = context;
        head_node_ = head;
        members_.assign(tree.children(head).begin(), tree.children(head).end());
        head_ = before_first;
        if (head != 0) {
            // By its content too: where it stands among the others must not tell anything.
            const auto place = std::ranges::find_if(
                members_, [&](Index other) { return tree.content(other) >= tree.content(head); });
            head_ = static_cast<Member>(place - members_.begin());
            members_.insert(place, head);
        }
        question_ = 1;
        twin_.resize(members_.size());
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const bool same = i > 0 && static_cast<Member>(i) != head_ &&
                              static_cast<Member>(i - 1) != head_ &&
                              tree.content(members_[i]) == tree.content(members_[i - 1]);
            twin_[i] = same ? twin_[i - 1] : static_cast<Member>(i);
        }
    }
    void mark_question(std::uint32_t lemma) {
        for (const Index node : members_) {
            if (tree_->value(node, static_cast<std::size_t>(NodeColumn::lemma)) == lemma) question_ = 2;
        }
    }

    std::size_t size() const { return members_.size(); }
    Member head() const { return head_; }  // or `before_first`: the roots of a sentence have none
    Index node(Member member) const { return member < 0 ? none : members_[static_cast<std::size_t>(member)]; }
    // The first of those that cannot be told apart from this one.
    Member twin(Member member) const { return twin_[static_cast<std::size_t>(member)]; }
    const OrderTree& tree() const { return *tree_; }
    const OrderContext& context() const { return context_; }
    Index head_node() const { return head_node_; }
    std::uint32_t question() const { return question_; }

    // Whether the places fixed in the input allow this member next; `placed(member)` are those before it.
    template <typename Placed>
    bool may_follow(Member member, const Placed& placed) const {
        const auto each = static_cast<Member>(size());
        if (member == head_) {
            for (Member other = 0; other < each; ++other) {
                if (other != head_ && fixed(other) < 0 && !placed(other)) return false;
            }
            return true;
        }
        if (head_ < 0) return true;
        const std::int32_t place = fixed(member);
        if (place == 0) return true;
        if ((place > 0) != placed(head_)) return false;
        for (Member other = 0; other < each; ++other) {
            if (other == head_ || placed(other)) continue;
            const std::int32_t its = fixed(other);
            if (its != 0 && (its > 0) == (place > 0) && its < place) return false;
        }
        return true;
    }
    bool has_fixed() const {
        return std::ranges::any_of(members_, [&](Index node) { return tree_->fixed(node) != 0; });
    }

  private:
    std::int32_t fixed(Member member) const {
        return tree_->fixed(members_[static_cast<std::size_t>(member)]);
    }

    const OrderTree* tree_ = nullptr;
    OrderContext context_;
    Index head_node_ = none;
    std::vector<Index> members_;
    std::vector<Member> twin_;
    Member head_ = before_first;
    std::uint32_t question_ = 1;
};

// What a template sees: words in their places, and facts.
struct OrderSight {
    std::array<Index, order_places> nodes;  // `none` at the end of a domain
    std::array<std::uint32_t, order_facts> facts;
};

class OrderSights {
  public:
    explicit OrderSights(const OrderProgram& program) : program_(program) {}

    // The features of words in a view, as hashes.
    template <typename Use>
    void each(const Domain& domain, OrderView view, const OrderSight& sight, Use use) const {
        for (const OrderLine& line : program_.lines(view)) {
            std::uint64_t hash = line.seed;
            for (const auto [place, argument] : line.atoms) {
                const auto at = static_cast<std::size_t>(argument);
                if (place == none) {
                    hash = join(hash, sight.facts[at]);
                } else {
                    const Index node = sight.nodes[static_cast<std::size_t>(place)];
                    hash =
                        join(hash, node < 0 ? static_cast<std::uint64_t>(0) - static_cast<std::uint64_t>(node)
                                            : domain.tree().value(node, at) + std::uint64_t{8});
                }
            }
            use(finish(hash));
        }
    }

    // `place`: how many words there are up to the last of the view; `passed`: whether the head is among those
    // before the view.
    OrderSight sight(const Domain& domain, std::span<const Member> members, std::size_t place,
                     bool passed) const {
        OrderSight sight = start(domain);
        std::uint32_t which = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            sight.nodes[i] = node(domain, members[i]);
            if (members[i] >= 0 && members[i] == domain.head()) which = static_cast<std::uint32_t>(i + 1);
        }
        fact(sight, OrderFact::head) = which;
        fact(sight, OrderFact::half) = which != 0 ? 3 + which : passed ? 2 : 1;
        fact(sight, OrderFact::distance) = static_cast<std::uint32_t>(std::min<std::size_t>(place, 8));
        return sight;
    }

    OrderSight whole(const Domain& domain, std::span<const Member> order) const {
        OrderSight sight = start(domain);
        for (std::size_t i = 0; i < view_places / 2; ++i) {
            const bool there = i < order.size();
            sight.nodes[i] = there ? domain.node(order[i]) : absent;
            sight.nodes[view_places / 2 + i] = there ? domain.node(order[order.size() - 1 - i]) : absent;
        }
        const auto place = std::ranges::find(order, domain.head()) - order.begin();
        fact(sight, OrderFact::head_place) = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(place, 8));
        return sight;
    }

  private:
    static constexpr Index absent = -3;

    static std::uint32_t& fact(OrderSight& sight, OrderFact which) {
        return sight.facts[static_cast<std::size_t>(which)];
    }
    static Index node(const Domain& domain, Member member) {
        return member < 0 ? static_cast<Index>(member) : domain.node(member);
    }
    OrderSight start(const Domain& domain) const {
        OrderSight sight;
        sight.nodes.fill(absent);
        sight.facts.fill(0);
        const Index head = domain.head_node();
        sight.nodes[view_places] = head;
        sight.nodes[view_places + 1] = head == 0 ? absent : domain.tree().head(head);
        sight.nodes[view_places + 2] = domain.context().before;
        sight.nodes[view_places + 3] = domain.context().after;
        fact(sight, OrderFact::size) = static_cast<std::uint32_t>(std::min<std::size_t>(domain.size(), 8));
        fact(sight, OrderFact::question) = domain.question();
        fact(sight, OrderFact::side) = domain.context().side;
        return sight;
    }

    const OrderProgram& program_;
};

// The scores of what an order of a domain consists of; those of neighbours and of pairs are found once.
template <typename Weights>
class OrderScorer {
  public:
    OrderScorer(const OrderProgram& program, const Weights& weights)
        : program_(program), sights_(program), weights_(weights) {}

    void read(const Domain& domain) {
        domain_ = &domain;
        const std::size_t size = domain.size();
        side_ = size + 2;
        remembers_ = !program_.placed() && size <= most_remembered;
        pairs_.assign(remembers_ ? 2 * side_ * side_ : 0, unknown);
        triples_.assign(remembers_ ? 2 * side_ * side_ * side_ : 0, unknown);
        before_.assign(size * size, 0);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                if (i == j) continue;
                const std::array members{static_cast<Member>(i), static_cast<Member>(j)};
                before_[i * size + j] = sum(OrderView::before, sights_.sight(domain, members, 0, false));
            }
        }
    }

    // `place` is that of `next`, from 1; `passed`: the head stands before these words.
    float pair(Member last, Member next, std::size_t place, bool passed) {
        const std::array members{last, next};
        if (!remembers_) return sum(OrderView::pair, sights_.sight(*domain_, members, place, passed));
        float& known = pairs_[(cell(last) * side_ + cell(next)) * 2 + passed];
        if (known == unknown) known = sum(OrderView::pair, sights_.sight(*domain_, members, place, passed));
        return known;
    }
    float triple(Member second, Member last, Member next, std::size_t place, bool passed) {
        const std::array members{second, last, next};
        if (!remembers_) return sum(OrderView::triple, sights_.sight(*domain_, members, place, passed));
        float& known = triples_[((cell(second) * side_ + cell(last)) * side_ + cell(next)) * 2 + passed];
        if (known == unknown) known = sum(OrderView::triple, sights_.sight(*domain_, members, place, passed));
        return known;
    }
    float before(Member one, Member other) const {
        return before_[static_cast<std::size_t>(one) * domain_->size() + static_cast<std::size_t>(other)];
    }
    float whole(std::span<const Member> order) const {
        return sum(OrderView::whole, sights_.whole(*domain_, order));
    }

    // All features of an order, for learning.
    template <typename Use>
    void each(std::span<const Member> order, Use use) const {
        const Domain& domain = *domain_;
        const auto at = [&](std::ptrdiff_t i) {
            return i < 0                                           ? before_first
                   : i < static_cast<std::ptrdiff_t>(order.size()) ? order[static_cast<std::size_t>(i)]
                                                                   : after_last;
        };
        std::ptrdiff_t head = std::ranges::find(order, domain.head()) - order.begin();
        if (domain.head() < 0) head = static_cast<std::ptrdiff_t>(order.size());
        for (std::ptrdiff_t i = 0; i <= static_cast<std::ptrdiff_t>(order.size()); ++i) {
            const auto place = static_cast<std::size_t>(i + 1);
            const std::array two{at(i - 1), at(i)};
            sights_.each(domain, OrderView::pair, sights_.sight(domain, two, place, head < i - 1), use);
            if (i == 0) continue;
            const std::array three{at(i - 2), at(i - 1), at(i)};
            sights_.each(domain, OrderView::triple, sights_.sight(domain, three, place, head < i - 2), use);
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                const std::array two{order[i], order[j]};
                sights_.each(domain, OrderView::before, sights_.sight(domain, two, 0, false), use);
            }
        }
        sights_.each(domain, OrderView::whole, sights_.whole(domain, order), use);
    }

    float score(std::span<const Member> order) const {
        float sum = 0;
        each(order, [&](std::uint64_t feature) { sum += weight(feature); });
        return sum;
    }

  private:
    static constexpr std::size_t most_remembered = 24;
    static constexpr float unknown = std::numeric_limits<float>::infinity();

    std::size_t cell(Member member) const {
        return member >= 0 ? static_cast<std::size_t>(member)
                           : domain_->size() + (member == before_first ? 0 : 1);
    }
    float sum(OrderView view, const OrderSight& sight) const {
        float sum = 0;
        sights_.each(*domain_, view, sight, [&](std::uint64_t feature) { sum += weight(feature); });
        return sum;
    }
    float weight(std::uint64_t feature) const {
        return static_cast<float>(weights_.weights[weights_.windows.cell(feature)]);
    }

    const OrderProgram& program_;
    const OrderSights sights_;
    const Weights& weights_;
    const Domain* domain_ = nullptr;
    std::size_t side_ = 0;
    bool remembers_ = false;
    std::vector<float> pairs_, triples_, before_;
};

}  // namespace plait
