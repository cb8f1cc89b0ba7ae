// The roles of the arguments of one predicate, chosen together (Bohnet 2009, section 8): a beam over its
// words from left to right, no core role twice, and the role before is seen. Then the best sets of roles as
// wholes.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/kernel.hpp"
#include "core/roles/program.hpp"

namespace plait {

using RoleId = std::int32_t;
inline constexpr RoleId no_role = 0;  // a word that is no argument after all

// Sentences with their predicates, and with each predicate some words.
struct RoleBatch {
    std::span<const std::uint32_t> values;
    std::size_t columns = 0;
    Forest forest;
    std::size_t labels = 0;                // the column of them
    std::span<const std::int64_t> firsts;  // of sentences, in predicates
    std::span<const Index> predicates;
    std::span<const std::uint32_t> senses;  // of predicates
    std::span<const std::int64_t> bounds;   // of predicates, in words
    std::span<const Index> words;

    std::size_t size() const { return forest.size(); }
    RoleSentence sentence(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(forest.offsets[i]);
        const auto heads = forest.tree(i);
        return {values.subspan(begin * columns, heads.size() * columns), columns, heads, labels};
    }
    std::size_t first(std::size_t i) const { return static_cast<std::size_t>(firsts[i]); }
    std::size_t bound(std::size_t predicate) const { return static_cast<std::size_t>(bounds[predicate]); }
    std::span<const Index> words_of(std::size_t predicate) const {
        return words.subspan(bound(predicate), bound(predicate + 1) - bound(predicate));
    }
};

// Which roles there are and what is seen of them.
struct RoleModel {
    RoleProgram plain;               // templates that see nothing of other roles
    RoleProgram joint;               // those that do
    RoleProgram sets;                // of all roles of a predicate together
    std::vector<std::int32_t> core;  // per role: its number among those that stand once only, or -1
    bool refusing;                   // whether words may have no role
    std::size_t beam;

    std::size_t width() const { return core.size(); }
    RoleId first() const { return refusing ? no_role : 1; }

    static constexpr int most_core = 60;
};

struct RoleSet {
    double score;
    std::vector<RoleId> roles;  // one per word
};

template <typename Weights>
class RoleSearch {
  public:
    RoleSearch(const RoleModel& model, const Weights& weights) : model_(model), weights_(weights) {}

    // What belongs to a predicate and does not depend on roles.
    void read(const RoleSentence& sentence, const Paths& paths, Index predicate, std::uint32_t sense,
              std::span<const Index> words) {
        words_ = words;
        views_.clear();
        if (features_.size() < words.size()) features_.resize(words.size());
        scores_.resize(words.size() * stride());
        for (std::size_t i = 0; i < words.size(); ++i) {
            views_.push_back({sentence, paths, predicate, words[i], sense});
            model_.plain.extract(views_.back(), features_[i]);
            weights_.score(features_[i], std::span(scores_).subspan(i * stride(), stride()));
        }
    }

    // The best sets of roles, the best first. To have no role is worth `refusal` more. With `gold`, every
    // other role is worth so much more.
    const std::vector<RoleSet>& search(float refusal, std::span<const RoleId> gold = {}, float cost = 0) {
        hypotheses_.assign(1, {});
        steps_.clear();
        std::vector<float>& dynamic = scratch_;
        dynamic.resize(stride());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            next_.clear();
            for (const Hypothesis& from : hypotheses_) {
                score_after(i, from.previous, from.used, dynamic);
                const float* fixed = scores_.data() + i * stride();
                for (RoleId role = model_.first(); role < static_cast<RoleId>(model_.width()); ++role) {
                    const auto at = static_cast<std::size_t>(role);
                    const std::uint64_t bit = bit_of(role);
                    if (from.used & bit) continue;
                    double score = from.score + static_cast<double>(fixed[at] + dynamic[at]);
                    if (role == no_role) score += static_cast<double>(refusal);
                    if (!gold.empty() && gold[i] != role) score += static_cast<double>(cost);
                    consider({score, from.last, role, from.used | bit,
                              role == no_role ? from.previous : static_cast<std::uint32_t>(role) + 1});
                }
            }
            std::sort(next_.begin(), next_.end(), ranks_before);
            for (Hypothesis& each : next_) {
                steps_.push_back({each.role, each.last});
                each.last = static_cast<std::int32_t>(steps_.size()) - 1;
            }
            std::swap(hypotheses_, next_);
        }
        found_.clear();
        for (const Hypothesis& each : hypotheses_) {
            RoleSet set{each.score, {}};
            for (std::int32_t at = each.last; at >= 0; at = steps_[static_cast<std::size_t>(at)].before) {
                set.roles.push_back(steps_[static_cast<std::size_t>(at)].role);
            }
            std::reverse(set.roles.begin(), set.roles.end());
            found_.push_back(std::move(set));
        }
        return found_;
    }

    // Calls use(features, role) for the features of a set, word by word; `joint` tells of which program.
    template <typename Use>
    void each_feature(std::span<const RoleId> roles, Use use) {
        std::uint32_t previous = 0;
        std::uint64_t used = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            see(i, previous, used);
            use(i, std::span<const std::uint64_t>(features_[i]), std::span<const std::uint64_t>(joint_),
                roles[i]);
            used |= bit_of(roles[i]);
            if (roles[i] != no_role) previous = static_cast<std::uint32_t>(roles[i]) + 1;
        }
    }

    double score_of(std::span<const RoleId> roles) {
        double total = 0;
        std::uint32_t previous = 0;
        std::uint64_t used = 0;
        scratch_.resize(stride());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            score_after(i, previous, used, scratch_);
            const auto at = static_cast<std::size_t>(roles[i]);
            total += static_cast<double>(scores_[i * stride() + at] + scratch_[at]);
            used |= bit_of(roles[i]);
            if (roles[i] != no_role) previous = static_cast<std::uint32_t>(roles[i]) + 1;
        }
        return total;
    }

  private:
    struct Hypothesis {
        double score = 0;
        std::int32_t last = -1;
        RoleId role = 0;
        std::uint64_t used = 0;
        std::uint32_t previous = 0;
    };
    struct Step {
        RoleId role;
        std::int32_t before;
    };

    std::size_t stride() const { return model_.width() + block; }
    std::uint64_t bit_of(RoleId role) const {
        const std::int32_t number = model_.core[static_cast<std::size_t>(role)];
        return number < 0 ? 0 : std::uint64_t{1} << number;
    }
    void see(std::size_t i, std::uint32_t previous, std::uint64_t used) {
        RoleView view = views_[i];
        view.previous = previous;
        view.used = used;
        model_.joint.extract(view, joint_);
    }
    void score_after(std::size_t i, std::uint32_t previous, std::uint64_t used, std::vector<float>& scores) {
        see(i, previous, used);
        weights_.score(joint_, scores);
    }
    static bool ranks_before(const Hypothesis& one, const Hypothesis& other) {
        if (one.score != other.score) return one.score > other.score;
        if (one.last != other.last) return one.last < other.last;
        return one.role < other.role;
    }
    void consider(const Hypothesis& each) {  // a heap with the worst in front
        if (next_.size() == model_.beam) {
            if (!ranks_before(each, next_.front())) return;
            std::pop_heap(next_.begin(), next_.end(), ranks_before);
            next_.pop_back();
        }
        next_.push_back(each);
        std::push_heap(next_.begin(), next_.end(), ranks_before);
    }

    const RoleModel& model_;
    const Weights& weights_;
    std::span<const Index> words_;
    std::vector<RoleView> views_;
    std::vector<std::vector<std::uint64_t>> features_;
    std::vector<std::uint64_t> joint_;
    std::vector<float> scores_, scratch_;
    std::vector<Hypothesis> hypotheses_, next_;
    std::vector<Step> steps_;
    std::vector<RoleSet> found_;
};

// The sum of single weights: of classifiers that only say yes or no, yes from 0 on.
inline float sum_of(const Kernel& weights, std::span<const std::uint64_t> features) {
    float total = 0;
    for (const std::uint64_t each : features) total += weights.weights[weights.windows.cell(each)];
    return total;
}
inline float sum_of(const CompactKernel& weights, std::span<const std::uint64_t> features) {
    std::int32_t total = 0;
    for (const std::uint64_t each : features) total += weights.weights[weights.windows.cell(each)];
    return weights.step * static_cast<float>(total);
}

// The roles of a predicate together, into a view: all in the order of their words, the core ones alone, and
// where among them the predicate stands.
inline void assign(RoleView& view, std::span<const std::int32_t> core, std::span<const Index> words,
                   std::span<const RoleId> roles, std::vector<Assigned>& assigned) {
    constexpr std::uint64_t predicate = 0xfeed;
    std::uint64_t all = 1, central = 1;
    bool after = false;
    assigned.clear();
    const auto pass = [&](Index word) {
        if (after || word < view.predicate) return;
        all = mix(all ^ predicate), central = mix(central ^ predicate), after = true;
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (roles[i] == no_role) continue;
        pass(words[i]);
        const auto number = static_cast<std::uint64_t>(roles[i]);
        all = mix(all ^ number);
        if (core[static_cast<std::size_t>(roles[i])] >= 0) central = mix(central ^ number);
        assigned.push_back({words[i], roles[i]});
    }
    pass(view.sentence.size() + 1);
    view.sequence = all;
    view.core = central;
    view.arguments = assigned;
}

inline void see_set(const RoleModel& model, RoleView view, std::span<const Index> words,
                    std::span<const RoleId> roles, std::vector<Assigned>& assigned,
                    std::vector<std::uint64_t>& features) {
    assign(view, model.core, words, roles, assigned);
    model.sets.extract(view, features);
}

}  // namespace plait
