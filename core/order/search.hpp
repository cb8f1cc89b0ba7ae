// The best orders of a domain, by beam search over lists that grow word by word (Bohnet et al. 2012, Figure
// 4), and those of a sentence, from the top of its tree to the bottom.
#pragma once

#include "core/cancel.hpp"
#include "core/order/domain.hpp"

namespace plait {

struct DomainOrder {
    std::vector<Member> members;
    float score = 0;
};

template <typename Weights>
class DomainSearch {
  public:
    DomainSearch(const OrderProgram& program, const Weights& weights, std::size_t beam)
        : program_(program), scorer_(program, weights), beam_(beam) {}

    // At most so many orders that differ, the best first.
    std::span<const DomainOrder> run(Domain& domain, std::size_t best) {
        domain.mark_question(program_.signs().question);
        const std::size_t size = domain.size();
        words_ = (size + 63) / 64;
        found_.clear();
        if (size == 1) {
            found_.push_back({{0}, 0});
            return found_;
        }
        scorer_.read(domain);
        head_ = domain.head();
        const bool fixed = domain.has_fixed();
        const std::size_t width = size <= most_wide ? std::max(beam_, best) : 1;
        nodes_.clear();
        masks_.assign(words_, 0);
        nodes_.push_back({none, before_first, before_first, 0, false});
        std::size_t first = 0;
        for (std::size_t step = 0; step < size; ++step) {
            check_cancelled();
            extend(domain, first, step, fixed);
            first = nodes_.size();
            keep(width);
        }
        finish(domain, first, best);
        return found_;
    }

    const OrderScorer<Weights>& scorer() const { return scorer_; }

  private:
    static constexpr std::size_t most_wide = 64;  // words; a beam over more would take too long

    struct Node {
        Index parent;
        Member member, second;
        float score;
        bool passed;  // the head stands before the last two words
    };
    struct Extension {
        Index parent;
        Member member;
        float score;
    };

    bool placed(std::size_t node, Member member) const {
        const auto at = static_cast<std::size_t>(member);
        return (masks_[node * words_ + at / 64] >> (at % 64)) & 1;
    }

    void extend(const Domain& domain, std::size_t first, std::size_t step, bool fixed) {
        extensions_.clear();
        const auto size = static_cast<Member>(domain.size());
        for (std::size_t i = first; i < nodes_.size(); ++i) {
            const Node node = nodes_[i];
            const auto is_placed = [&](Member member) { return placed(i, member); };
            const bool passed_two = node.passed || is_head(node.second);
            for (Member member = 0; member < size; ++member) {
                if (is_placed(member)) continue;
                // Of those that look alike the first one comes first.
                if (domain.twin(member) != member && !is_placed(member - 1)) continue;
                if (fixed && !domain.may_follow(member, is_placed)) continue;
                float score = node.score + scorer_.pair(node.member, member, step + 1, passed_two);
                if (step > 0) {
                    score += scorer_.triple(node.second, node.member, member, step + 1, node.passed);
                }
                for (Member other = 0; other < size; ++other) {
                    if (other != member && !is_placed(other)) score += scorer_.before(member, other);
                }
                extensions_.push_back({static_cast<Index>(i), member, score});
            }
        }
    }

    void keep(std::size_t width) {
        const auto better = [](const Extension& a, const Extension& b) {
            return a.score != b.score     ? a.score > b.score
                   : a.parent != b.parent ? a.parent < b.parent
                                          : a.member < b.member;
        };
        if (extensions_.size() > width) {
            std::ranges::nth_element(extensions_, extensions_.begin() + static_cast<std::ptrdiff_t>(width),
                                     better);
            extensions_.resize(width);
        }
        std::ranges::sort(extensions_, better);
        for (const auto& [parent, member, score] : extensions_) {
            const auto above = static_cast<std::size_t>(parent);
            const Node from = nodes_[above];
            nodes_.push_back({parent, member, from.member, score, from.passed || is_head(from.second)});
            masks_.resize(nodes_.size() * words_);
            std::copy_n(masks_.begin() + static_cast<std::ptrdiff_t>(above * words_), words_,
                        masks_.end() - static_cast<std::ptrdiff_t>(words_));
            const auto at = static_cast<std::size_t>(member);
            masks_[(nodes_.size() - 1) * words_ + at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }

    void finish(const Domain& domain, std::size_t first, std::size_t best) {
        const std::size_t size = domain.size();
        for (std::size_t i = first; i < nodes_.size(); ++i) {
            DomainOrder order{std::vector<Member>(size), 0};
            auto at = static_cast<Index>(i);
            for (std::size_t place = size; place-- > 0;) {
                order.members[place] = nodes_[static_cast<std::size_t>(at)].member;
                at = nodes_[static_cast<std::size_t>(at)].parent;
            }
            const Node& node = nodes_[i];
            const bool passed_two = node.passed || is_head(node.second);
            order.score = node.score + scorer_.pair(node.member, after_last, size + 1, passed_two) +
                          scorer_.triple(node.second, node.member, after_last, size + 1, node.passed) +
                          scorer_.whole(order.members);
            found_.push_back(std::move(order));
        }
        std::ranges::stable_sort(found_, std::ranges::greater{}, &DomainOrder::score);
        if (found_.size() > best) found_.resize(best);
    }

    bool is_head(Member member) const { return member >= 0 && member == head_; }

    const OrderProgram& program_;
    OrderScorer<Weights> scorer_;
    std::size_t beam_, words_ = 1;
    Member head_ = before_first;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> masks_;
    std::vector<Extension> extensions_;
    std::vector<DomainOrder> found_;
};

}  // namespace plait
