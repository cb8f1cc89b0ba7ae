#include "core/features.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/hash.hpp"

namespace plait {

namespace {

constexpr bool is_base(Place place) {
    return place == Place::stack || place == Place::buffer || place == Place::above ||
           place == Place::candidate;
}

// Stack and buffer as they are.
struct PlainView {
    const State& state;

    Index stack(std::size_t depth) const { return state.stack(depth); }
    Index buffer(std::size_t depth) const { return state.buffer(depth); }
    Index above(std::size_t) const { return none; }
    std::uint64_t depth() const { return 1; }
};

// As an arc from deeper down a spine sees them (Sartorio, Satta and Nivre 2013, Table 1, and the same rule
// for places beyond it): its head stands for the root, and the nodes above the head lie behind it, between
// the head and the rest of the buffer if it is on the right, between the head and the rest of the stack
// otherwise.
class SpineView {
  public:
    SpineView(const State& state, const Context& context) : state_(state), context_(context) {
        for (Index node = state.head(context.head); node != none && count_ < nodes_.size();
             node = state.head(node)) {
            nodes_[count_++] = node;
        }
    }

    Index stack(std::size_t depth) const {
        if (context_.side == Kind::left_arc) return depth == 0 ? context_.head : state_.stack(depth);
        if (depth < 2) return depth == 0 ? state_.stack(0) : context_.head;
        return depth - 2 < count_ ? nodes_[depth - 2] : state_.stack(depth - count_);
    }
    Index buffer(std::size_t depth) const {
        if (context_.side == Kind::right_arc) return state_.buffer(depth);
        return depth < count_ ? nodes_[depth] : state_.buffer(depth - count_);
    }
    Index above(std::size_t depth) const { return depth < count_ ? nodes_[depth] : none; }
    std::uint64_t depth() const { return count_ + 1; }

  private:
    const State& state_;
    const Context& context_;
    std::array<Index, 10> nodes_;  // from the head upwards; no template asks for more
    std::size_t count_ = 0;
};

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

template <typename View>
Index locate(const View& view, const State& state, const Guide& guide, const Address& address,
             std::span<const Index> nodes) {
    if (address.place == Place::stack) return view.stack(static_cast<std::size_t>(address.argument));
    if (address.place == Place::buffer) return view.buffer(static_cast<std::size_t>(address.argument));
    if (address.place == Place::above) return view.above(static_cast<std::size_t>(address.argument));
    if (address.place == Place::candidate) return state.buffer(0);
    const Index from = nodes[static_cast<std::size_t>(address.argument)];
    if (from == none) return none;
    if (address.place == Place::guide) return guide.head(from);
    const Node& node = state.node(from);
    switch (address.place) {
        case Place::left1:
            return node.left1;
        case Place::left2:
            return node.left2;
        case Place::right1:
            return node.right1;
        case Place::right2:
            return node.right2;
        default:
            return node.head;
    }
}

}  // namespace

FeatureProgram::FeatureProgram(std::vector<Address> addresses, std::vector<Atom> atoms,
                               std::vector<std::int32_t> joined, std::span<const std::int32_t> ends,
                               std::int32_t guide, std::uint64_t seed)
    : addresses_(std::move(addresses)), atoms_(std::move(atoms)), joined_(std::move(joined)) {
    if (addresses_.size() > most_addresses || atoms_.size() > most_atoms || ends.size() > most_templates) {
        throw std::invalid_argument("too many addresses, atoms or templates");
    }
    const auto check = [](std::int32_t index, std::size_t size) {
        if (index < 0 || static_cast<std::size_t>(index) >= size)
            throw std::invalid_argument("no such index");
    };
    const auto check_column = [&](std::int32_t column) {
        check(column, 1024);
        columns_ = std::max(columns_, static_cast<std::size_t>(column) + 1);
    };
    bool guided = false;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        check(addresses_[i].argument, is_base(addresses_[i].place) ? 10 : i);
        guided |= addresses_[i].place == Place::guide;
    }
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
        Template t{first, ends[i] - first, mix(seed * 0x10001u + i)};
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
    if (context.head == none) return extract_from(PlainView{state}, state, context, words, features);
    return extract_from(SpineView(state, context), state, context, words, features);
}

template <typename View>
std::size_t FeatureProgram::extract_from(const View& view, const State& state, const Context& context,
                                         const Words& words, std::span<std::uint64_t> features) const {
    const Guide guide{words, guide_};
    std::array<Index, most_addresses> nodes;
    std::array<const std::uint32_t*, most_addresses> rows;
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        nodes[i] = locate(view, state, guide, addresses_[i], nodes);
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

    std::size_t count = 0;
    for (const Template& t : templates_) {
        if (t.addresses != 0 && (t.addresses & present) == 0) continue;
        std::uint64_t hash = t.seed;
        for (std::int32_t j = t.first; j < t.first + t.size; ++j) {
            hash = join(hash, values[static_cast<std::size_t>(joined_[static_cast<std::size_t>(j)])]);
        }
        features[count++] = finish(hash);
    }
    return count;
}

}  // namespace plait
