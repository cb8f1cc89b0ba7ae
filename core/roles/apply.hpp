// The steps over a batch: predicates, arguments, roles, senses.
#pragma once

#include <algorithm>
#include <vector>

#include "core/cancel.hpp"
#include "core/roles/search.hpp"

namespace plait {

// Calls use(sentence, paths, number) for every predicate of the sentences.
template <typename Use>
void each_predicate(const RoleBatch& batch, std::size_t i, std::span<const std::int32_t> along, Use use) {
    const RoleSentence sentence = batch.sentence(i);
    thread_local Paths paths;
    for (std::size_t number = batch.first(i); number < batch.first(i + 1); ++number) {
        paths.find(sentence, batch.predicates[number], along);
        use(sentence, paths, number);
    }
}

// Per word how much speaks for its being a predicate.
template <typename Weights>
std::vector<float> score_predicates(const RoleProgram& program, const Weights& weights,
                                    const RoleBatch& batch) {
    std::vector<float> scores;
    std::vector<std::uint64_t> features;
    const Paths nowhere;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        check_cancelled();
        const RoleSentence sentence = batch.sentence(i);
        for (Index word = 1; word <= sentence.size(); ++word) {
            program.extract({sentence, nowhere, word}, features);
            scores.push_back(sum_of(weights, features));
        }
    }
    return scores;
}

struct FoundWords {
    std::vector<std::int64_t> bounds{0};
    std::vector<Index> words;
    std::vector<float> scores;
};

// Per predicate the words that score at least so much as its arguments, none of them further away in the
// tree than the reach.
template <typename Weights>
FoundWords find_arguments(const RoleProgram& program, const Weights& weights, const RoleBatch& batch,
                          float least, std::uint32_t reach) {
    FoundWords found;
    std::vector<std::uint64_t> features;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        each_predicate(batch, i, program.along(), [&](const auto& sentence, const Paths& paths, auto number) {
            check_cancelled();
            for (Index word = 1; word <= sentence.size(); ++word) {
                if (paths.length(word) > reach) continue;
                program.extract({sentence, paths, batch.predicates[number], word, batch.senses[number]},
                                features);
                const float score = sum_of(weights, features);
                if (score < least) continue;
                found.words.push_back(word);
                found.scores.push_back(score);
            }
            found.bounds.push_back(static_cast<std::int64_t>(found.words.size()));
        });
    }
    return found;
}

struct FoundSets {
    std::vector<std::int64_t> bounds{0};  // of predicates, in sets
    std::vector<RoleId> roles;            // set by set, a role per word
    std::vector<double> scores;
};

// Per predicate its best sets of roles, at most so many; with weights for whole sets, the best by
// both, of which these have a share.
template <typename Weights, typename SetWeights>
FoundSets find_roles(const RoleModel& model, const Weights& weights, const SetWeights* set_weights,
                     const RoleBatch& batch, std::size_t most, float refusal, float share) {
    FoundSets found;
    RoleSearch<Weights> search(model, weights);
    std::vector<std::uint64_t> features;
    std::vector<Assigned> assigned;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        each_predicate(
            batch, i, model.plain.along(), [&](const auto& sentence, const Paths& paths, auto number) {
                check_cancelled();
                const auto words = batch.words_of(number);
                const Index predicate = batch.predicates[number];
                const std::uint32_t sense = batch.senses[number];
                search.read(sentence, paths, predicate, sense, words);
                const std::vector<RoleSet>& sets = search.search(refusal);
                const auto keep = [&](const RoleSet& set) {
                    found.roles.insert(found.roles.end(), set.roles.begin(), set.roles.end());
                    found.scores.push_back(set.score);
                };
                if (set_weights != nullptr) {
                    std::size_t best = 0;
                    double highest = 0;
                    for (std::size_t k = 0; k < std::min(sets.size(), most); ++k) {
                        see_set(model, {sentence, paths, predicate, none, sense}, words, sets[k].roles,
                                assigned, features);
                        const double score =
                            sets[k].score + static_cast<double>(share * sum_of(*set_weights, features));
                        if (k == 0 || score > highest) best = k, highest = score;
                    }
                    keep(sets[best]);
                } else {
                    for (std::size_t k = 0; k < std::min(sets.size(), most); ++k) keep(sets[k]);
                }
                found.bounds.push_back(static_cast<std::int64_t>(found.scores.size()));
            });
    }
    return found;
}

// Per predicate a list of senses to choose from: `keys` stand for the lists, `sizes` are theirs. `roles` are
// of the words of the batch.
struct SenseLists {
    std::span<const RoleId> roles;
    std::span<const std::int32_t> core;  // as in RoleModel
    std::span<const std::uint32_t> keys;
    std::span<const std::int32_t> sizes;
};

// The features of a predicate by which one of its senses is chosen.
inline void see_senses(const RoleProgram& program, const RoleBatch& batch, const RoleSentence& sentence,
                       const Paths& paths, std::size_t number, const SenseLists& lists,
                       std::vector<Assigned>& assigned, std::vector<std::uint64_t>& features) {
    RoleView view{sentence, paths, batch.predicates[number]};
    const auto words = batch.words_of(number);
    assign(view, lists.core, words, lists.roles.subspan(batch.bound(number), words.size()), assigned);
    program.extract(view, features);
    for (std::uint64_t& feature : features) feature = mix(feature ^ lists.keys[number]);
}

// Per predicate which of its senses scores best; -1 where it may have none of them. `allowed` has a flag for
// every sense of every predicate.
template <typename Weights>
std::vector<std::int32_t> choose_senses(const RoleProgram& program, const Weights& weights,
                                        const RoleBatch& batch, const SenseLists& lists,
                                        std::span<const std::uint8_t> allowed) {
    std::vector<std::int32_t> chosen(batch.predicates.size(), -1);
    std::vector<std::size_t> starts(batch.predicates.size() + 1, 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        starts[i + 1] = starts[i] + static_cast<std::size_t>(lists.sizes[i]);
    }
    std::vector<std::uint64_t> features;
    std::vector<Assigned> assigned;
    std::vector<float> scores(weights.windows.width() + block);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        each_predicate(batch, i, program.along(), [&](const auto& sentence, const Paths& paths, auto number) {
            check_cancelled();
            const auto own = allowed.subspan(starts[number], starts[number + 1] - starts[number]);
            const auto possible = std::ranges::count_if(own, [](std::uint8_t flag) { return flag != 0; });
            if (possible > 1) {
                see_senses(program, batch, sentence, paths, number, lists, assigned, features);
                weights.score(features, scores, 0, own.size());
            }
            for (std::size_t k = 0; k < own.size(); ++k) {
                std::int32_t& best = chosen[number];
                if (own[k] != 0 && (best < 0 || scores[k] > scores[static_cast<std::size_t>(best)])) {
                    best = static_cast<std::int32_t>(k);
                }
            }
        });
    }
    return chosen;
}

}  // namespace plait
