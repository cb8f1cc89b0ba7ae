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

// What is in the columns of the root and of a missing node.
constexpr std::size_t most_columns = 1024;
constexpr auto row_of(std::uint32_t value) {
    std::array<std::uint32_t, most_columns> row{};
    row.fill(value);
    return row;
}
constexpr auto root_row = row_of(root_value), missing_row = row_of(missing_value);

// Odd numbers that have nothing to do with each other.
constexpr auto factors = [] {
    std::array<std::uint64_t, FeatureProgram::most_addresses + FeatureProgram::most_atoms> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = mix(i) | 1;
    return numbers;
}();

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
        check(column, most_columns);
        columns_ = std::max(columns_, static_cast<std::size_t>(column) + 1);
    };
    check_order(addresses_);
    bool guided = std::ranges::find(addresses_, Place::guide, &Address::place) != addresses_.end();
    for (const Atom& atom : atoms_) guided |= is_of_guide(atom.sight);
    if (guided) {
        check_column(guide);
        guide_ = static_cast<std::size_t>(guide);
    }
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const Atom& atom = atoms_[i];
        check(atom.address, addresses_.size());
        if (atom.sight == Sight::column) {
            check_column(atom.argument);
            words_ |= std::uint64_t{1} << atom.address;
            continue;
        }
        others_.push_back(static_cast<std::int32_t>(i));
        if (is_of_two(atom.sight)) {
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
            regions_.back().seed = mix(regions_.size());
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
    Region region;
    std::vector<const Template*> sorted;
    for (const std::int32_t number : templates) {
        sorted.push_back(&templates_[static_cast<std::size_t>(number)]);
    }
    std::ranges::stable_sort(sorted, {}, &Template::size);
    std::vector<char> seen(atoms_.size(), 0);
    std::uint64_t words = 0;
    for (const Template* const t : sorted) {
        region.templates.push_back(
            {t->seed, t->addresses, static_cast<std::int32_t>(region.atoms.size()), t->size});
        for (std::int32_t j = t->first; j < t->first + t->size; ++j) {
            const std::int32_t at = joined_[static_cast<std::size_t>(j)];
            region.atoms.push_back(at);
            if (std::exchange(seen[static_cast<std::size_t>(at)], 1)) continue;
            const Atom& atom = atoms_[static_cast<std::size_t>(at)];
            region.addresses |= std::uint64_t{1} << atom.address;
            if (atom.sight == Sight::column) {
                region.columns.push_back(at);
                words |= std::uint64_t{1} << atom.address;
            } else {
                region.marks.push_back(static_cast<std::int32_t>(most_addresses) + at);
            }
        }
    }
    for (; words != 0; words &= words - 1) region.marks.push_back(std::countr_zero(words));
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
        if (node <= 0) {
            look.rows[i] = node == 0 ? root_row.data() : missing_row.data();
            continue;
        }
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
            return look.rows[static_cast<std::size_t>(atom.address)][atom.argument];
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

void FeatureProgram::each_feature(const State& state, const Context& context, const Words& words,
                                  const std::function<void(std::size_t, std::uint64_t)>& use) const {
    Look seen;
    look(state, context, words, seen);
    each_feature_of(state, words, seen, use);
}

// Columns of a word are known by its row; what was built around it is looked at. A key is the sum of marks,
// each multiplied by a number of its own at random: for two that differ to have the same sum is one chance in
// 2^50 or less (multilinear hashing; Carter and Wegman 1979).
void FeatureProgram::mark(const State& state, const Words& words, const Look& look, Marks& marks) const {
    marks.all = 0;
    for (std::uint64_t left = words_; left != 0; left &= left - 1) {
        const auto at = static_cast<std::size_t>(std::countr_zero(left));
        const Index node = look.nodes[at];
        const auto place = static_cast<std::uint64_t>(node > 0 ? look.rows[at] - words.values.data() + 2
                                                               : std::ptrdiff_t{node} + 1);
        marks.all += marks.each[at] = place * factors[at];
    }
    for (const std::int32_t atom : others_) {
        const auto at = static_cast<std::size_t>(atom);
        const std::uint64_t seen = marks.values[at] = value(atoms_[at], state, words, look);
        marks.all += marks.each[most_addresses + at] = seen * factors[most_addresses + at];
    }
}

std::uint64_t FeatureProgram::key(const Look& look, const Marks& marks) const {
    return join(marks.all, look.present);
}

std::uint64_t FeatureProgram::key(std::size_t number, const Look& look, const Marks& marks) const {
    const Region& region = regions_[number];
    std::uint64_t key = region.seed;
    for (const std::int32_t mark : region.marks) key += marks.each[static_cast<std::size_t>(mark)];
    return join(key, look.present & region.addresses);
}

namespace {

// Of templates of one size, so that the loop over their atoms has no end to look for; 0 is any size.
template <std::int32_t size>
std::size_t hash_all(std::span<const Region::Joined> templates, const std::int32_t* atoms,
                     std::uint64_t present, const std::uint64_t* values, std::uint64_t* features) {
    std::size_t count = 0;
    for (const Region::Joined& t : templates) {
        std::uint64_t hash = t.seed;
        for (std::int32_t j = 0; j < (size == 0 ? t.size : size); ++j) {
            hash = join(hash, values[atoms[t.first + j]]);
        }
        features[count] = finish(hash);
        count += t.addresses == 0 || (t.addresses & present) != 0;
    }
    return count;
}

using HashAll = decltype(&hash_all<0>);
constexpr std::array<HashAll, 7> hash_by_size{hash_all<0>, hash_all<1>, hash_all<2>, hash_all<3>,
                                              hash_all<4>, hash_all<5>, hash_all<6>};

}  // namespace

std::size_t FeatureProgram::extract(std::size_t number, const Look& look, Marks& marks,
                                    std::span<std::uint64_t> features) const {
    const Region& region = regions_[number];
    for (const std::int32_t atom : region.columns) {
        const auto at = static_cast<std::size_t>(atom);
        marks.values[at] = look.rows[static_cast<std::size_t>(atoms_[at].address)][atoms_[at].argument];
    }
    std::size_t count = 0;
    for (std::span<const Region::Joined> rest = region.templates; !rest.empty();) {
        const auto size = static_cast<std::size_t>(rest[0].size);
        const auto other = std::ranges::find_if(
            rest, [&](const Region::Joined& t) { return static_cast<std::size_t>(t.size) != size; });
        const auto same = static_cast<std::size_t>(other - rest.begin());
        const HashAll hashed = hash_by_size[size < hash_by_size.size() ? size : 0];
        count += hashed(rest.first(same), region.atoms.data(), look.present, marks.values.data(),
                        features.data() + count);
        rest = rest.subspan(same);
    }
    return count;
}

}  // namespace plait
