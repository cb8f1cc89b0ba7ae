#include "core/roles/learner.hpp"

namespace plait {

bool RoleLearner::learn_yes_or_no(std::span<const std::uint64_t> features, bool yes) {
    const float margin = (yes ? 1.0f : -1.0f) * sum_of(kernel_, features);
    if (margin >= 1 || features.empty()) return false;
    const float step = std::min(longest_step_, (1 - margin) / static_cast<float>(features.size()));
    averaged_.add(features, 0, yes ? step : -step);
    return true;
}

std::int64_t RoleLearner::learn_predicates(const RoleProgram& program, const RoleBatch& batch,
                                           std::span<const std::uint8_t> right,
                                           std::span<const std::int64_t> order) {
    std::int64_t updates = 0;
    std::vector<std::uint64_t> features;
    const Paths nowhere;
    each_in_order(order, batch.size(), [&](std::size_t i) {
        averaged_.next_example();
        const RoleSentence sentence = batch.sentence(i);
        const auto first = static_cast<std::size_t>(batch.forest.offsets[i]);
        for (Index word = 1; word <= sentence.size(); ++word) {
            program.extract({sentence, nowhere, word}, features);
            updates += learn_yes_or_no(features, right[first + static_cast<std::size_t>(word - 1)] != 0);
        }
    });
    return updates;
}

std::int64_t RoleLearner::learn_arguments(const RoleProgram& program, const RoleBatch& batch,
                                          std::uint32_t reach, std::span<const std::int64_t> order) {
    std::int64_t updates = 0;
    std::vector<std::uint64_t> features;
    each_in_order(order, batch.size(), [&](std::size_t i) {
        averaged_.next_example();
        each_predicate(batch, i, program.along(), [&](const auto& sentence, const Paths& paths, auto number) {
            const auto right = batch.words_of(number);
            for (Index word = 1; word <= sentence.size(); ++word) {
                if (paths.length(word) > reach) continue;
                program.extract({sentence, paths, batch.predicates[number], word, batch.senses[number]},
                                features);
                const bool yes = std::find(right.begin(), right.end(), word) != right.end();
                updates += learn_yes_or_no(features, yes);
            }
        });
    });
    return updates;
}

std::int64_t RoleLearner::learn_roles(const RoleModel& model, const RoleBatch& batch,
                                      std::span<const RoleId> roles, std::span<const std::int64_t> order) {
    std::int64_t updates = 0;
    RoleSearch<Kernel> search(model, kernel_);
    each_in_order(order, batch.size(), [&](std::size_t i) {
        averaged_.next_example();
        each_predicate(
            batch, i, model.plain.along(), [&](const auto& sentence, const Paths& paths, auto number) {
                const auto words = batch.words_of(number);
                if (words.empty()) return;
                const auto gold = roles.subspan(batch.bound(number), words.size());
                search.read(sentence, paths, batch.predicates[number], batch.senses[number], words);
                const auto& sets = search.search(0, gold, 1);
                if (sets.empty()) return;
                const std::vector<RoleId>& found = sets.front().roles;
                // What is wrong was worth more, so this is the hinge with the cost in it.
                const double loss = sets.front().score - search.score_of(gold);
                if (std::ranges::equal(found, gold) || loss <= 0) return;
                std::size_t norm = 0;
                for (std::size_t j = 0; j < words.size(); ++j) {
                    norm += model.joint.size() + (found[j] == gold[j] ? 0 : model.plain.size());
                }
                const float step =
                    std::min(longest_step_, static_cast<float>(loss) / static_cast<float>(2 * norm));
                const auto change = [&](std::span<const RoleId> set, float amount) {
                    search.each_feature(set, [&](std::size_t j, auto plain, auto joint, RoleId role) {
                        const auto at = static_cast<std::size_t>(role);
                        if (found[j] != gold[j]) averaged_.add(plain, at, amount);
                        averaged_.add(joint, at, amount);
                    });
                };
                change(gold, step);
                change(found, -step);
                ++updates;
            });
    });
    return updates;
}

std::int64_t RoleLearner::learn_sets(const RoleModel& model, const RoleBatch& batch, const FoundSets& sets,
                                     std::span<const std::int32_t> errors,
                                     std::span<const std::int64_t> order) {
    std::int64_t updates = 0;
    // Where the roles of a predicate's sets begin.
    std::vector<std::size_t> begins{0};
    for (std::size_t number = 0; number < batch.predicates.size(); ++number) {
        const auto count = static_cast<std::size_t>(sets.bounds[number + 1] - sets.bounds[number]);
        begins.push_back(begins.back() + count * batch.words_of(number).size());
    }
    std::vector<std::vector<std::uint64_t>> features;
    std::vector<Assigned> assigned;
    each_in_order(order, batch.size(), [&](std::size_t i) {
        averaged_.next_example();
        each_predicate(
            batch, i, model.sets.along(), [&](const auto& sentence, const Paths& paths, auto number) {
                const auto words = batch.words_of(number);
                const auto first = static_cast<std::size_t>(sets.bounds[number]);
                const auto count = static_cast<std::size_t>(sets.bounds[number + 1]) - first;
                if (count < 2) return;
                if (features.size() < count) features.resize(count);
                std::size_t best = 0, worst = 0;
                double best_score = 0, worst_score = 0;
                std::vector<double> scores(count);
                for (std::size_t k = 0; k < count; ++k) {
                    const std::span<const RoleId> roles =
                        std::span(sets.roles).subspan(begins[number] + k * words.size(), words.size());
                    see_set(model, {sentence, paths, batch.predicates[number], none, batch.senses[number]},
                            words, roles, assigned, features[k]);
                    scores[k] = sets.scores[first + k] + static_cast<double>(sum_of(kernel_, features[k]));
                    const bool fewer = errors[first + k] < errors[first + best];
                    const bool same = errors[first + k] == errors[first + best];
                    if (k == 0 || fewer || (same && scores[k] > best_score)) best = k, best_score = scores[k];
                }
                for (std::size_t k = 0; k < count; ++k) {
                    const double costly = scores[k] + errors[first + k] - errors[first + best];
                    if (k == 0 || costly > worst_score) worst = k, worst_score = costly;
                }
                if (errors[first + worst] == errors[first + best] || worst_score <= best_score) return;
                const auto norm = static_cast<float>(features[best].size() + features[worst].size());
                const float step =
                    std::min(longest_step_, static_cast<float>(worst_score - best_score) / norm);
                averaged_.add(features[best], 0, step);
                averaged_.add(features[worst], 0, -step);
                ++updates;
            });
    });
    return updates;
}

std::int64_t RoleLearner::learn_senses(const RoleProgram& program, const RoleBatch& batch,
                                       const SenseLists& lists, std::span<const std::int32_t> right,
                                       std::span<const std::int64_t> order) {
    std::int64_t updates = 0;
    std::vector<std::uint64_t> features;
    std::vector<Assigned> assigned;
    std::vector<float> scores(width() + block);
    each_in_order(order, batch.size(), [&](std::size_t i) {
        averaged_.next_example();
        each_predicate(batch, i, program.along(), [&](const auto& sentence, const Paths& paths, auto number) {
            if (lists.sizes[number] < 2 || right[number] < 0) return;
            see_senses(program, batch, sentence, paths, number, lists, assigned, features);
            const auto count = static_cast<std::size_t>(lists.sizes[number]);
            const auto good = static_cast<std::size_t>(right[number]);
            kernel_.score(features, scores, 0, count);
            std::size_t bad = good == 0 ? 1 : 0;
            for (std::size_t k = 0; k < count; ++k) {
                if (k != good && scores[k] > scores[bad]) bad = k;
            }
            const float loss = 1 - scores[good] + scores[bad];
            if (loss <= 0) return;
            const float step = std::min(longest_step_, loss / static_cast<float>(2 * features.size()));
            averaged_.add(features, good, step);
            averaged_.add(features, bad, -step);
            ++updates;
        });
    });
    return updates;
}

}  // namespace plait
