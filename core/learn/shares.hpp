// What every template says in the states that a greedy parser walks through: its share of the lead that the
// best right transition has over the best wrong ones.
#pragma once

#include "core/learn/trainer.hpp"

namespace plait {

// A row for every rival of a state, a column for every template: what it adds to the lead over that rival.
// All `rivals` of a state are there, or as many as there are; the best comes first.
struct Shares {
    std::vector<float> rows;
    std::vector<std::int64_t> states;  // of the rows
};

// The parser follows its own choice, so that its mistakes lead on to others, as when it is used. States in
// which it leads by `margin` or more are left out: nothing that one template says would change them.
template <typename System>
class Walker {
  public:
    Walker(const Setting<System>& setting, const ParserModel& model, const Kernel& kernel, Deriver& deriver,
           std::size_t rivals, float margin)
        : setting_(setting),
          program_(model.sights.states),
          kernel_(kernel),
          scorer_(model.sights, kernel, model.repertoire),
          tutor_(deriver),
          most_(rivals),
          margin_(margin) {}

    void walk(const Words& words, const Gold& gold, Shares& shares) {
        scorer_.read(words);
        tutor_.plan(gold, script_);
        setting_.system.start(state_, gold.words());
        bool on_path = true;
        while (!setting_.system.terminal(state_)) {
            const TransitionSet correct = tutor_.correct(setting_.system, state_, gold, script_, on_path);
            Choice good;
            wrong_.clear();
            setting_.each_scored(state_, scorer_,
                                 [&](Transition transition, std::size_t number, float score) {
                                     if (is_correct(setting_.system, state_, gold, correct, transition)) {
                                         good.consider(transition, number, score);
                                     } else {
                                         wrong_.push_back({transition, number, score});
                                     }
                                 });
            const std::size_t kept = std::min(most_, wrong_.size());
            std::ranges::partial_sort(wrong_, wrong_.begin() + static_cast<std::ptrdiff_t>(kept),
                                      [](const Choice& a, const Choice& b) {
                                          return a.score > b.score ||
                                                 (a.score == b.score && a.number < b.number);
                                      });
            wrong_.resize(kept);
            const bool led = good.made() && (wrong_.empty() || good.score > wrong_[0].score);
            if (good.made() && !wrong_.empty() && good.score - wrong_[0].score < margin_) {
                tell(words, good, shares);
            }
            ++seen_;
            const Transition next = led ? good.transition : wrong_[0].transition;
            on_path = on_path && correct.has(next);
            setting_.system.apply(state_, next);
        }
    }

  private:
    // Arcs from deeper down a spine see the state in contexts of their own.
    void tell(const Words& words, const Choice& good, Shares& shares) {
        const std::size_t first = shares.rows.size(), width = program_.size();
        shares.rows.resize(first + wrong_.size() * width, 0.0f);
        shares.states.insert(shares.states.end(), wrong_.size(), seen_);
        const auto each_weight = [&](const Context& context, auto use) {
            program_.each_feature(state_, context, words, [&](std::size_t place, std::uint64_t feature) {
                use(place, kernel_.weights.data() + kernel_.windows.cell(feature));
            });
        };
        each_weight(context(good), [&](std::size_t place, const float* weights) {
            for (std::size_t i = 0; i < wrong_.size(); ++i) {
                shares.rows[first + i * width + place] = weights[good.number];
            }
        });
        contexts_.clear();
        for (const Choice& rival : wrong_) contexts_.push_back(context(rival));
        for (std::size_t i = 0; i < wrong_.size(); ++i) {
            const auto before = contexts_.begin() + static_cast<std::ptrdiff_t>(i);
            if (std::find(contexts_.begin(), before, contexts_[i]) != before) continue;
            each_weight(contexts_[i], [&](std::size_t place, const float* weights) {
                for (std::size_t j = i; j < wrong_.size(); ++j) {
                    if (contexts_[j] != contexts_[i]) continue;
                    shares.rows[first + j * width + place] -= weights[wrong_[j].number];
                }
            });
        }
    }
    Context context(const Choice& choice) const {
        return context_of(setting_.system, state_, choice.transition);
    }

    const Setting<System>& setting_;
    const FeatureProgram& program_;
    const Kernel& kernel_;
    FeatureScorer<Kernel> scorer_;
    Tutor tutor_;
    std::size_t most_;
    float margin_;
    State state_;
    std::vector<Kind> script_;
    std::vector<Choice> wrong_;
    std::vector<Context> contexts_;  // of these
    std::int64_t seen_ = 0;
};

inline Shares shares_of_templates(const ParserModel& model, const Kernel& kernel, OracleId oracle,
                                  std::int64_t budget, const GoldTrees& trees, std::size_t rivals,
                                  float margin) {
    if (!trees.sentences.starts.empty()) throw std::invalid_argument("tags are chosen in these states");
    if (!model.sights.completion.empty()) throw std::invalid_argument("parts of trees say something, too");
    Shares shares;
    Deriver deriver(model.system, oracle, model.single_root, budget);
    with_setting(model, [&](const auto& setting) {
        using System = std::remove_cvref_t<decltype(setting.system)>;
        Walker<System> walker(setting, model, kernel, deriver, rivals, margin);
        for (std::size_t i = 0; i < trees.sentences.size(); ++i) {
            const std::size_t begin = trees.sentences.begin(i), length = trees.sentences.length(i);
            if (length == 0) continue;
            require_tree(trees.forest.tree(i), i);
            const Gold gold(trees.forest.tree(i), trees.labels.subspan(begin, length));
            if (deriver.derivable(gold)) walker.walk(trees.sentences.words(i), gold, shares);
        }
    });
    return shares;
}

}  // namespace plait
