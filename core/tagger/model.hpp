// What does not change while a tagger learns and tags.
#pragma once

#include "core/kernel.hpp"
#include "core/tagger/program.hpp"

namespace plait {

struct TaggerModel {
    TaggerModel(TagProgram features, TagInventory tags)
        : program(std::move(features)), inventory(std::move(tags)) {
        if (inventory.views_each < program.views()) throw std::invalid_argument("too few views of tags");
        if (inventory.size() == 0) throw std::invalid_argument("there are no tags");
        if (inventory.width > most_transitions) throw std::invalid_argument("too many parts of tags");
    }

    TagProgram program;
    TagInventory inventory;
};

}  // namespace plait
