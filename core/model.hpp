// What does not change while a transition-based parser learns and parses.
#pragma once

#include "core/derive.hpp"
#include "core/feature_scorer.hpp"
#include "core/setting.hpp"

namespace plait {

struct ParserModel {
    // `parts` and `completion`: of the completion model, or null and none.
    ParserModel(SystemId system_id, bool one_root, Repertoire transitions, FeatureProgram program,
                FeatureProgram tag_program, const PartProgram* parts, PartSet completion)
        : system(system_id),
          single_root(one_root),
          repertoire(std::move(transitions)),
          sights{std::move(program), std::move(tag_program), std::nullopt, completion} {
        if (completion.empty()) return;
        if (parts == nullptr) throw std::invalid_argument("completion needs templates of parts");
        if (system != SystemId::swap && system != SystemId::standard) {
            throw std::invalid_argument("completion goes with systems whose arcs close a word");
        }
        if (repertoire.size() < repertoire.label_count()) {
            throw std::invalid_argument("there are labels on no arc");
        }
        sights.parts = *parts;
    }

    SystemId system;
    bool single_root;
    Repertoire repertoire;
    Sights sights;
};

// Calls `use` with the system of a model and its transitions.
template <typename Use>
decltype(auto) with_setting(const ParserModel& model, Use use) {
    return with_system(model.system, [&](auto system) -> decltype(auto) {
        return use(Setting<decltype(system)>{system, model.repertoire, model.single_root});
    });
}

}  // namespace plait
