#include "core/features.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/hash.hpp"

namespace plait {

namespace {

// What the guide's tree has to do with a state.
struct Guide {
    const Words& words;
    std::size_t column;

    Index head(Index word) const { return words.position(word, column); }

    std::uint64_t join(Index one, Index other) const {
        return head(other) == one ? 2 : head(one) == other ? 3 : 1;
    }
    std::uint64_t side(const State& state, Index word) const {
        const Index above = head(word);
        if (above <= 0) return above == 0 ? 1 : missing_value;
        const auto buffer = state.row().buffer();
        const bool ahead = std::ranges::find(buffer, above) != buffer.end();
        return (above < word ? 2u : 4u) + ahead;
    }
    std::uint64_t waiting(const State& state, Index node) const {
        const auto count =
            std::ranges::count_if(state.row().buffer(), [&](Index word) { return head(word) == node; });
        return static_cast<std::uint64_t>(std::min<std::ptrdiff_t>(count, 2) + 1);
    }
};

constexpr bool is_of_two(Sight sight) {
    return sight == Sight::distance || sight == Sight::in_order || sight == Sight::guided;
}

}  // namespace

FeatureProgram::FeatureProgram(std::vector<Address> addresses, std::vector<Atom> atoms,
                               std::vector<std::int32_t> joined, std::span<const std::int32_t> ends,
                               std::int32_t guide, std::uint64_t seed, std::span<const std::int32_t> numbers)
    : addresses_(std::move(addresses)), atoms_(std::move(atoms)), joined_(std::move(joined)) {
    if (addresses_.size() > most_addresses || atoms_.size() > most_atoms || ends.size() > most_templates) {
        throw std::invalid_argument("too many addresses, atoms or templates");
    }
    if (!numbers.empty() && numbers.size() != ends.size()) {
        throw std::invalid_argument("a number per template is needed");
    }
    const auto check = [](std::int32_t index, std::size_t size) {
        if (index < 0 || static_cast<std::size_t>(index) >= size)
            throw std::invalid_argument("no such index");
    };
    const auto check_column = [&](std::int32_t column) {
        check(column, 1024);
        columns_ = std::max(columns_, static_cast<std::size_t>(column) + 1);
    };
    check_order(addresses_);
    bool guided = std::ranges::find(addresses_, Place::guide, &Address::place) != addresses_.end();
    for (const Atom& atom : atoms_) guided |= is_of_guide(atom.sight);
    if (guided) {
        check_column(guide);
        guide_ = static_cast<std::size_t>(guide);
    }
    for (const Atom& atom : atoms_) {
        check(atom.address, addresses_.size());
        if (atom.sight == Sight::column) {
            check_column(atom.argument);
        } else if (is_of_two(atom.sight)) {
            check(atom.argument, addresses_.size());
        }
    }
    for (const std::int32_t atom : joined_) check(atom, atoms_.size());
    std::int32_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i] < first || static_cast<std::size_t>(ends[i]) > joined_.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        const std::size_t number = numbers.empty() ? i : static_cast<std::size_t>(numbers[i]);
        Template t{first, ends[i] - first, mix(seed * 0x10001u + number)};
        for (std::int32_t j = first; j < ends[i]; ++j) {
            const Atom& atom = atoms_[static_cast<std::size_t>(joined_[static_cast<std::size_t>(j)])];
            t.addresses |= std::uint64_t{1} << atom.address;
        }
        templates_.push_back(t);
        first = ends[i];
    }
    divide();
}

// By the words on the stack that a template begins at, whether it looks at the buffer, and how: at these
// words only, at their dependents, or at labels and numbers of arcs, in which the hypotheses of a beam differ
// most. Where few templates see the same, they go with others of their kind.
void FeatureProgram::divide() {
    constexpr std::size_t fewest = 16;
    constexpr std::uint64_t in_buffer = 1, above = 2;
    std::vector<std::uint64_t> bases(addresses_.size());
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        const auto argument = static_cast<std::size_t>(addresses_[i].argument);
        switch (addresses_[i].place) {
            case Place::buffer:
            case Place::candidate:
                bases[i] = in_buffer;
                break;
            case Place::above:
                bases[i] = above;
                break;
            case Place::stack:
                bases[i] = std::uint64_t{4} << argument;
                break;
            default:
                bases[i] = bases[argument];
        }
    }
    enum Manner { words, dependents, arcs };
    std::map<std::pair<Manner, std::uint64_t>, std::vector<std::int32_t>> found;
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        std::uint64_t seen = 0;
        Manner manner = words;
        for (std::int32_t j = templates_[i].first; j < templates_[i].first + templates_[i].size; ++j) {
            const Atom& atom = atoms_[static_cast<std::size_t>(joined_[static_cast<std::size_t>(j)])];
            const auto address = static_cast<std::size_t>(atom.address);
            seen |= bases[address];
            if (is_of_two(atom.sight)) seen |= bases[static_cast<std::size_t>(atom.argument)];
            if (!is_base(addresses_[address].place)) manner = std::max(manner, dependents);
            if (atom.sight != Sight::column && !is_of_two(atom.sight)) manner = arcs;
        }
        found[{manner, seen}].push_back(static_cast<std::int32_t>(i));
    }
    std::array<std::vector<std::int32_t>, 3> others;
    const auto add = [&](std::span<const std::int32_t> templates) {
        for (; !templates.empty();
             templates = templates.subspan(std::min(templates.size(), largest_region))) {
            regions_.push_back(region_of(templates.first(std::min(templates.size(), largest_region))));
        }
    };
    for (const auto& [kind, templates] : found) {
        if (templates.size() >= fewest) {
            add(templates);
        } else {
            others[kind.first].insert(others[kind.first].end(), templates.begin(), templates.end());
        }
    }
    for (const auto& templates : others) add(templates);
}

Region FeatureProgram::region_of(std::span<const std::int32_t> templates) const {
    Region region{{templates.begin(), templates.end()}, {}, {}};
    std::vector<char> seen(atoms_.size(), 0);
    for (const std::int32_t number : templates) {
        const Template& t = templates_[static_cast<std::size_t>(number)];
        for (std::int32_t j = t.first; j < t.first + t.size; ++j) {
            const std::int32_t at = joined_[static_cast<std::size_t>(j)];
            if (std::exchange(seen[static_cast<std::size_t>(at)], 1)) continue;
            const Atom& atom = atoms_[static_cast<std::size_t>(at)];
            region.addresses |= std::uint64_t{1} << atom.address;
            if (atom.sight == Sight::column) region.words |= std::uint64_t{1} << atom.address;
            (atom.sight == Sight::column ? region.columns : region.others).push_back(at);
        }
    }
    return region;
}

void FeatureProgram::look(const State& state, const Context& context, const Words& words, Look& look) const {
    if (context.head == none) {
        look_from(PlainView{state}, state, context, words, look);
    } else {
        look_from(SpineView(state, context), state, context, words, look);
    }
}

template <typename View>
void FeatureProgram::look_from(const View& view, const State& state, const Context& context,
                               const Words& words, Look& look) const {
    const Guide guide{words, guide_};
    const auto guide_head = [&](Index word) { return guide.head(word); };
    look.present = 0;
    look.depth = view.depth();
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        const Index node = look.nodes[i] = locate(view, state, guide_head, addresses_[i], look.nodes);
        look.present |= std::uint64_t{node != none} << i;
        if (node <= 0) continue;
        const std::size_t row = addresses_[i].place == Place::candidate
                                    ? words.row(node, std::max<Index>(context.tag, 0))
                                    : words.seen_row(state, node);
        look.rows[i] = words.values.data() + row * words.columns;
    }
}

inline std::uint64_t FeatureProgram::value(const Atom& atom, const State& state, const Words& words,
                                           const Look& look) const {
    const Index index = look.nodes[static_cast<std::size_t>(atom.address)];
    if (index == none) return missing_value;
    const Node& node = state.node(index);
    const Guide guide{words, guide_};
    switch (atom.sight) {
        case Sight::column:
            return index == 0 ? root_value : look.rows[static_cast<std::size_t>(atom.address)][atom.argument];
        case Sight::label:
            return static_cast<std::uint64_t>(node.label + 2);
        case Sight::lefts:
            return static_cast<std::uint64_t>(std::min<Index>(node.lefts, 7) + 1);
        case Sight::rights:
            return static_cast<std::uint64_t>(std::min<Index>(node.rights, 7) + 1);
        case Sight::left_labels:
            return mix(node.left_labels);
        case Sight::right_labels:
            return mix(node.right_labels);
        case Sight::depth:
            return std::min<std::uint64_t>(look.depth, 7);
        case Sight::guide_side:
            return guide.side(state, index);
        case Sight::guide_waiting:
            return guide.waiting(state, index);
        default: {
            const Index other = look.nodes[static_cast<std::size_t>(atom.argument)];
            if (other == none) return missing_value;
            if (atom.sight == Sight::distance) return bin_distance(index - other);
            if (atom.sight == Sight::guided) return guide.join(index, other);
            return index < other ? 1 : 2;
        }
    }
}

inline std::uint64_t FeatureProgram::hash(const Template& t, const std::uint64_t* values) const {
    std::uint64_t hash = t.seed;
    for (std::int32_t j = t.first; j < t.first + t.size; ++j) {
        hash = join(hash, values[joined_[static_cast<std::size_t>(j)]]);
    }
    return finish(hash);
}

// In the order of the list.
template <typename Use>
void FeatureProgram::each_feature_of(const State& state, const Words& words, const Look& look,
                                     Use use) const {
    std::array<std::uint64_t, most_atoms> values;
    for (std::size_t i = 0; i < atoms_.size(); ++i) values[i] = value(atoms_[i], state, words, look);
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        if (is_silent(templates_[i], look)) continue;
        use(i, hash(templates_[i], values.data()));
    }
}

std::size_t FeatureProgram::extract(const State& state, const Context& context, const Words& words,
                                    std::span<std::uint64_t> features) const {
    Look seen;
    look(state, context, words, seen);
    std::size_t count = 0;
    each_feature_of(state, words, seen,
                    [&](std::size_t, std::uint64_t feature) { features[count++] = feature; });
    return count;
}

void FeatureProgram::each_feature(const State& state, const Words& words,
                                  const std::function<void(std::size_t, std::uint64_t)>& use) const {
    Look seen;
    look(state, Context{}, words, seen);
    each_feature_of(state, words, seen, use);
}

// Columns of a word are known by its row; what was built around it is looked at.
std::uint64_t FeatureProgram::key(std::size_t number, const State& state, const Words& words,
                                  const Look& look) const {
    const Region& region = regions_[number];
    std::uint64_t key = join(mix(number), look.present & region.addresses);
    for (std::uint64_t left = region.words; left != 0; left &= left - 1) {
        const auto address = static_cast<std::size_t>(std::countr_zero(left));
        const Index node = look.nodes[address];
        const auto place = node > 0 ? look.rows[address] - words.values.data() + 2 : node + 1;
        key = join(key, static_cast<std::uint64_t>(place));
    }
    for (const std::int32_t atom : region.others) {
        key = join(key, value(atoms_[static_cast<std::size_t>(atom)], state, words, look));
    }
    return key;
}

std::size_t FeatureProgram::extract(std::size_t number, const State& state, const Words& words,
                                    const Look& look, std::span<std::uint64_t> features) const {
    const Region& region = regions_[number];
    std::array<std::uint64_t, most_atoms> values;
    for (const auto* atoms : {&region.columns, &region.others}) {
        for (const std::int32_t atom : *atoms) {
            const auto at = static_cast<std::size_t>(atom);
            values[at] = value(atoms_[at], state, words, look);
        }
    }
    std::size_t count = 0;
    for (const std::int32_t each : region.templates) {
        const Template& t = templates_[static_cast<std::size_t>(each)];
        if (!is_silent(t, look)) features[count++] = hash(t, values.data());
    }
    return count;
}

}  // namespace plait
