#include "core/features.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

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
        } else if (atom.sight == Sight::distance || atom.sight == Sight::in_order ||
                   atom.sight == Sight::guided) {
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
}

std::size_t FeatureProgram::extract(const State& state, const Context& context, const Words& words,
                                    std::span<std::uint64_t> features) const {
    std::size_t count = 0;
    const auto add = [&](std::size_t, std::uint64_t feature) { features[count++] = feature; };
    if (context.head == none) {
        extract_from(PlainView{state}, state, context, words, add);
    } else {
        extract_from(SpineView(state, context), state, context, words, add);
    }
    return count;
}

void FeatureProgram::each_feature(const State& state, const Words& words,
                                  const std::function<void(std::size_t, std::uint64_t)>& use) const {
    extract_from(PlainView{state}, state, Context{}, words, use);
}

template <typename View, typename Use>
void FeatureProgram::extract_from(const View& view, const State& state, const Context& context,
                                  const Words& words, Use use) const {
    const Guide guide{words, guide_};
    const auto guide_head = [&](Index word) { return guide.head(word); };
    std::array<Index, most_addresses> nodes;
    std::array<const std::uint32_t*, most_addresses> rows;
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        nodes[i] = locate(view, state, guide_head, addresses_[i], nodes);
        present |= std::uint64_t{nodes[i] != none} << i;
        if (nodes[i] <= 0) continue;
        const std::size_t row = addresses_[i].place == Place::candidate
                                    ? words.row(nodes[i], std::max<Index>(context.tag, 0))
                                    : words.seen_row(state, nodes[i]);
        rows[i] = words.values.data() + row * words.columns;
    }

    std::array<std::uint64_t, most_atoms> values;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const Atom& atom = atoms_[i];
        const Index index = nodes[static_cast<std::size_t>(atom.address)];
        if (index == none) {
            values[i] = missing_value;
            continue;
        }
        const Node& node = state.node(index);
        switch (atom.sight) {
            case Sight::column:
                values[i] =
                    index == 0 ? root_value : rows[static_cast<std::size_t>(atom.address)][atom.argument];
                break;
            case Sight::label:
                values[i] = static_cast<std::uint64_t>(node.label + 2);
                break;
            case Sight::lefts:
                values[i] = static_cast<std::uint64_t>(std::min<Index>(node.lefts, 7) + 1);
                break;
            case Sight::rights:
                values[i] = static_cast<std::uint64_t>(std::min<Index>(node.rights, 7) + 1);
                break;
            case Sight::left_labels:
                values[i] = mix(node.left_labels);
                break;
            case Sight::right_labels:
                values[i] = mix(node.right_labels);
                break;
            case Sight::depth:
                values[i] = std::min<std::uint64_t>(view.depth(), 7);
                break;
            case Sight::guide_side:
                values[i] = guide.side(state, index);
                break;
            case Sight::guide_waiting:
                values[i] = guide.waiting(state, index);
                break;
            default: {
                const Index other = nodes[static_cast<std::size_t>(atom.argument)];
                if (other == none) {
                    values[i] = missing_value;
                } else if (atom.sight == Sight::distance) {
                    values[i] = bin_distance(index - other);
                } else if (atom.sight == Sight::guided) {
                    values[i] = guide.join(index, other);
                } else {
                    values[i] = index < other ? 1 : 2;
                }
            }
        }
    }

    for (std::size_t i = 0; i < templates_.size(); ++i) {
        const Template& t = templates_[i];
        if (t.addresses != 0 && (t.addresses & present) == 0) continue;
        std::uint64_t hash = t.seed;
        for (std::int32_t j = t.first; j < t.first + t.size; ++j) {
            hash = join(hash, values[static_cast<std::size_t>(joined_[static_cast<std::size_t>(j)])]);
        }
        use(i, finish(hash));
    }
}

}  // namespace plait
