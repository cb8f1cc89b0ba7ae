// The states of a static oracle, kept: they do not depend on what is learned. All templates are hashed once,
// and any choice of them learns without states (Ballesteros and Bohnet 2014 try hundreds of such choices).
#pragma once

#include <map>

#include "core/learn/order.hpp"
#include "core/learn/trainer.hpp"

namespace plait {

constexpr bool is_static(OracleId oracle) {
    return oracle != OracleId::nd_swap && oracle != OracleId::nd_all && oracle != OracleId::dynamic;
}

class CachedStates {
  public:
    static constexpr std::uint32_t absent = 0xffffffffu;  // of a template that says nothing in a state

    CachedStates(const ParserModel& model, OracleId oracle, std::int64_t budget, const GoldTrees& trees)
        : templates_(model.sights.states.size()), width_(model.repertoire.size()) {
        if (!is_static(oracle)) throw std::invalid_argument("only the states of a static oracle can be kept");
        if (!trees.sentences.starts.empty()) throw std::invalid_argument("tags are chosen in these states");
        Deriver deriver(model.system, oracle, model.single_root, budget);
        with_setting(model, [&](const auto& setting) {
            for (std::size_t i = 0; i < trees.sentences.size(); ++i) {
                add(setting, model.sights.states, deriver, trees, i);
                ends_.push_back(gold_.size());
            }
        });
    }

    std::size_t templates() const { return templates_; }
    std::size_t width() const { return width_; }
    std::size_t sentences() const { return ends_.size(); }
    std::size_t states() const { return gold_.size(); }
    std::size_t begin(std::size_t sentence) const { return sentence == 0 ? 0 : ends_[sentence - 1]; }
    std::size_t end(std::size_t sentence) const { return ends_[sentence]; }

    // The upper half of the hash of every template; the number of the right transition; all that are
    // permitted.
    std::span<const std::uint32_t> row(std::size_t state) const {
        return std::span(rows_).subspan(state * templates_, templates_);
    }
    std::size_t gold(std::size_t state) const { return gold_[state]; }
    std::span<const std::uint32_t> permitted(std::size_t state) const { return sets_[permitted_[state]]; }

  private:
    template <typename System>
    void add(const Setting<System>& setting, const FeatureProgram& program, Deriver& deriver,
             const GoldTrees& trees, std::size_t i) {
        if constexpr (reaches_deep<System>) {
            throw std::invalid_argument("the spine systems see a state in several ways");
        } else {
            const std::size_t begin = trees.sentences.begin(i), length = trees.sentences.length(i);
            if (length == 0) return;
            require_tree(trees.forest.tree(i), i);
            const Gold gold(trees.forest.tree(i), trees.labels.subspan(begin, length));
            if (!deriver.derivable(gold)) return;
            std::vector<Transition> derivation;
            deriver.derive(gold, [&](Transition next) { derivation.push_back(next); });
            const Words words = trees.sentences.words(i);
            setting.system.start(state_, gold.words());
            for (Transition next : derivation) {
                if (is_arc(next.kind))
                    next.label = gold.label(arc_of(setting.system, state_, next).dependent);
                keep(setting, program, words, next);
                setting.system.apply(state_, next);
            }
        }
    }

    template <typename System>
    void keep(const Setting<System>& setting, const FeatureProgram& program, const Words& words,
              Transition next) {
        const std::size_t number = setting.repertoire.number(next);
        if (number == Repertoire::absent) throw std::invalid_argument("a label that its arc has not");
        gold_.push_back(static_cast<std::uint16_t>(number));
        rows_.resize(rows_.size() + templates_, absent);
        const std::span<std::uint32_t> row = std::span(rows_).last(templates_);
        // The lowest bits choose no cell, so that nothing is lost by telling a feature from none.
        program.each_feature(state_, Context{}, words, [&](std::size_t place, std::uint64_t feature) {
            row[place] = std::min(static_cast<std::uint32_t>(feature >> 32), absent - 1);
        });
        set_.clear();
        setting.repertoire.each_permitted(
            setting.system, state_, words, setting.single_root,
            [&](Transition, std::size_t each) { set_.push_back(static_cast<std::uint32_t>(each)); });
        const auto [place, is_new] = numbers_.try_emplace(set_, sets_.size());
        if (is_new) sets_.push_back(set_);
        permitted_.push_back(static_cast<std::uint32_t>(place->second));
    }

    std::size_t templates_, width_;
    std::vector<std::uint32_t> rows_, permitted_;
    std::vector<std::uint16_t> gold_;
    std::vector<std::size_t> ends_;
    std::vector<std::vector<std::uint32_t>> sets_;
    std::map<std::vector<std::uint32_t>, std::size_t> numbers_;
    std::vector<std::uint32_t> set_;
    State state_;
};

// Learns from kept states as `GreedyLearner` does from those it walks through, without exploration: the same
// weights.
class CachedTrainer {
  public:
    CachedTrainer(const CachedStates& states, std::span<const std::int32_t> templates, int bits,
                  const LearningOptions& options)
        : states_(states),
          templates_(templates.begin(), templates.end()),
          options_(options),
          kernel_(bits, states.width()),
          averaged_(kernel_),
          scores_(states.width() + block) {
        for (const std::int32_t place : templates_) {
            if (place < 0 || static_cast<std::size_t>(place) >= states.templates())
                throw std::invalid_argument("no such template");
        }
    }
    CachedTrainer(const CachedTrainer&) = delete;
    CachedTrainer& operator=(const CachedTrainer&) = delete;

    // One pass over the sentences named in `order`; the number of updates.
    std::int64_t learn(std::span<const std::int64_t> order) {
        std::int64_t updates = 0;
        each_in_order(order, states_.sentences(), [&](std::size_t i) {
            if (states_.begin(i) == states_.end(i)) return;
            for (std::size_t at = states_.begin(i); at < states_.end(i); ++at) updates += learn(at);
            averaged_.next_example();
        });
        return updates;
    }

    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

  private:
    bool learn(std::size_t at) {
        const std::span<const std::uint32_t> row = states_.row(at);
        features_.clear();
        for (const std::int32_t place : templates_) {
            const std::uint32_t hash = row[static_cast<std::size_t>(place)];
            if (hash != CachedStates::absent) features_.push_back(std::uint64_t{hash} << 32);
        }
        kernel_.score(features_, scores_);
        const std::size_t good = states_.gold(at);
        std::size_t bad = Repertoire::absent;
        for (const std::uint32_t number : states_.permitted(at)) {
            if (number != good && (bad == Repertoire::absent || scores_[number] > scores_[bad])) bad = number;
        }
        if (bad == Repertoire::absent) return false;
        const float lead = scores_[good] - scores_[bad];
        if (lead >= 1 || (!options_.passive_aggressive && lead > 0)) return false;
        float step = 1;
        if (options_.passive_aggressive) {
            step = std::min(options_.longest_step, (1 - lead) / static_cast<float>(2 * features_.size()));
        }
        averaged_.add(features_, good, step);
        averaged_.add(features_, bad, -step);
        return true;
    }

    const CachedStates& states_;
    std::vector<std::int32_t> templates_;
    LearningOptions options_;
    Kernel kernel_;
    Averaged averaged_;
    std::vector<float> scores_;
    std::vector<std::uint64_t> features_;
};

// In how many states the right transition wins if one template is not looked at, though its weights were
// learned: by template, and at the end with all of them.
inline std::vector<std::int64_t> right_without(const CachedStates& states, const Kernel& kernel,
                                               std::span<const std::int64_t> sentences) {
    if (kernel.windows.width() != states.width())
        throw std::invalid_argument("the weights are of other transitions");
    const std::size_t templates = states.templates();
    std::vector<std::int64_t> right(templates + 1, 0);
    std::vector<std::uint64_t> features;
    std::vector<std::size_t> places;
    std::vector<float> scores(states.width() + block);
    const auto count = [&](std::size_t at) {
        features.clear();
        places.clear();
        for (std::size_t place = 0; place < templates; ++place) {
            const std::uint32_t hash = states.row(at)[place];
            if (hash == CachedStates::absent) continue;
            features.push_back(std::uint64_t{hash} << 32);
            places.push_back(place);
        }
        kernel.score(features, scores);
        const std::size_t good = states.gold(at);
        const auto permitted = states.permitted(at);
        const auto wins = [&](const float* skipped) {
            const float score = scores[good] - (skipped ? skipped[good] : 0);
            return std::ranges::all_of(permitted, [&](std::uint32_t number) {
                return number == good || scores[number] - (skipped ? skipped[number] : 0) < score;
            });
        };
        const bool with_all = wins(nullptr);
        for (std::int64_t& each : right) each += with_all;
        for (std::size_t i = 0; i < features.size(); ++i) {
            right[places[i]] += wins(kernel.weights.data() + kernel.windows.cell(features[i])) - with_all;
        }
    };
    each_in_order(sentences, states.sentences(), [&](std::size_t i) {
        for (std::size_t at = states.begin(i); at < states.end(i); ++at) count(at);
    });
    return right;
}

}  // namespace plait
