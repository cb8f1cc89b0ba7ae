#include "core/grow/program.hpp"

#include <stdexcept>

#include "core/hash.hpp"
#include "core/kernel.hpp"

namespace plait {

namespace {

void check(std::int64_t index, std::size_t size) {
    if (index < 0 || static_cast<std::size_t>(index) >= size) throw std::invalid_argument("no such index");
}

}  // namespace

GrowProgram::GrowProgram(std::size_t columns, std::span<const GrowAtom> atoms,
                         std::span<const std::int32_t> joined, std::span<const std::int32_t> ends,
                         std::uint64_t seed)
    : columns_(columns) {
    if (columns < meaning_columns || columns > 1024) throw std::invalid_argument("wrong number of columns");
    if (ends.size() > most_features) throw std::invalid_argument("too many templates");
    std::int32_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i] < first || static_cast<std::size_t>(ends[i]) > joined.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        Line line;
        line.seed = mix(seed * 0x80021u + i);
        for (; first < ends[i]; ++first) {
            check(joined[static_cast<std::size_t>(first)], atoms.size());
            const GrowAtom atom = atoms[static_cast<std::size_t>(joined[static_cast<std::size_t>(first)])];
            check(atom.place, 3);
            const bool way = atom.place == static_cast<std::int32_t>(GrowPlace::way);
            check(atom.argument, way ? way_facts : columns + meaning_shapes);
            line.atoms.push_back(atom);
        }
        lines_.push_back(std::move(line));
    }
}

void GrowProgram::extract(const MeaningGraph& graph, Index source, Index target,
                          std::vector<std::uint64_t>& features) const {
    const auto way = graph.way(source, target);
    features.clear();
    for (const Line& line : lines_) {
        std::uint64_t hash = line.seed;
        for (const auto& [place, argument] : line.atoms) {
            const auto at = static_cast<std::size_t>(argument);
            switch (static_cast<GrowPlace>(place)) {
                case GrowPlace::source:
                    hash = join(hash, graph.value(source, at));
                    break;
                case GrowPlace::target:
                    hash = join(hash, graph.value(target, at));
                    break;
                case GrowPlace::way:
                    hash = join(hash, way[at]);
                    break;
            }
        }
        features.push_back(finish(hash));
    }
}

}  // namespace plait
