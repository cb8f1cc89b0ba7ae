#include "core/tagger/program.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "core/hash.hpp"

namespace plait {

namespace {

constexpr std::uint64_t outside = 0;  // the sentence
constexpr std::int32_t farthest = 64, most_arguments = 1024;
constexpr std::size_t most_atoms = 512, most_templates = 1024;

}  // namespace

TagProgram::TagProgram(std::vector<TagAtom> atoms, std::vector<std::int32_t> joined,
                       std::span<const std::int32_t> ends, std::uint64_t seed)
    : atoms_(std::move(atoms)), joined_(std::move(joined)) {
    if (atoms_.size() > most_atoms || ends.size() > most_templates) {
        throw std::invalid_argument("too many atoms or templates");
    }
    for (const TagAtom& atom : atoms_) {
        if (atom.argument < 0 || atom.argument >= most_arguments || std::abs(atom.distance) > farthest) {
            throw std::invalid_argument("an atom looks at nothing");
        }
        if (atom.of_tag && atom.distance >= 0) throw std::invalid_argument("tags are seen only to the left");
        std::size_t& most = atom.of_tag ? views_ : columns_;
        most = std::max(most, static_cast<std::size_t>(atom.argument) + 1);
    }
    for (const std::int32_t atom : joined_) {
        if (atom < 0 || static_cast<std::size_t>(atom) >= atoms_.size()) {
            throw std::invalid_argument("no such atom");
        }
    }
    std::int32_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i] < first || static_cast<std::size_t>(ends[i]) > joined_.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        templates_.push_back({first, ends[i], mix(seed * 0x10001u + i)});
        first = ends[i];
    }
}

void TagProgram::extract(const Words& words, std::span<const Tag> tags, const TagInventory& inventory,
                         std::size_t place, std::span<std::uint64_t> features) const {
    const auto size = static_cast<std::int64_t>(tags.size());
    std::array<std::uint64_t, most_atoms> values;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const TagAtom& atom = atoms_[i];
        const std::int64_t at = static_cast<std::int64_t>(place) + atom.distance;
        const auto argument = static_cast<std::size_t>(atom.argument);
        if (at < 0 || at >= size) {
            values[i] = outside;
        } else if (atom.of_tag) {
            values[i] = inventory.view(tags[static_cast<std::size_t>(at)], argument) + 1;
        } else {
            values[i] = words.values[static_cast<std::size_t>(at) * words.columns + argument];
        }
    }
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        const Line& line = templates_[i];
        std::uint64_t hash = line.seed;
        for (std::int32_t j = line.first; j < line.end; ++j) {
            hash = join(hash, values[static_cast<std::size_t>(joined_[static_cast<std::size_t>(j)])]);
        }
        features[i] = finish(hash);
    }
}

}  // namespace plait
