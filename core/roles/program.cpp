#include "core/roles/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "core/hash.hpp"

namespace plait {

namespace {

constexpr std::uint32_t out_of_reach = 255;

template <typename T>
std::uint64_t number(T value) {
    return static_cast<std::uint64_t>(value);
}

}  // namespace

RoleSentence::RoleSentence(std::span<const std::uint32_t> values, std::size_t columns,
                           std::span<const Index> heads, std::size_t labels)
    : values_(values),
      columns_(columns),
      labels_(labels),
      heads_(heads),
      children_(heads.size()),
      starts_(heads.size() + 2, 0) {
    for (const Index head : heads) ++starts_[static_cast<std::size_t>(head) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        children_[next[static_cast<std::size_t>(heads[i])]++] = static_cast<Index>(i + 1);
    }
}

void Paths::find(const RoleSentence& sentence, Index predicate, std::span<const std::int32_t> columns) {
    const auto nodes = static_cast<std::size_t>(sentence.size()) + 1;
    shapes_.assign(nodes, 0);
    lengths_.assign(nodes, out_of_reach);
    families_.assign(nodes, Family::other);
    along_.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        along_[i].assign(nodes, 0);
        along_[i][at(predicate)] = mix(sentence.value(predicate, static_cast<std::size_t>(columns[i])));
    }
    shapes_[at(predicate)] = mix(1);
    lengths_[at(predicate)] = 0;
    families_[at(predicate)] = Family::self;
    queue_.assign(1, predicate);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const Index from = queue_[i];
        for (const Index child : sentence.children(from)) reach(sentence, from, child, true, columns);
        if (sentence.head(from) > 0) reach(sentence, from, sentence.head(from), false, columns);
    }
}

// `up`: on the way to the predicate, one goes up from here.
void Paths::reach(const RoleSentence& sentence, Index from, Index to, bool up,
                  std::span<const std::int32_t> columns) {
    if (lengths_[at(to)] != out_of_reach) return;
    lengths_[at(to)] = std::min(lengths_[at(from)] + 1, out_of_reach - 1);
    shapes_[at(to)] = mix(shapes_[at(from)] ^ (up ? 2u : 3u));
    const Family before = families_[at(from)];
    const bool first = before == Family::self;
    if (up) {
        const bool below = first || before == Family::child || before == Family::descendant;
        families_[at(to)] = first ? Family::child : below ? Family::descendant : Family::other;
    } else {
        families_[at(to)] = first ? Family::parent : Family::ancestor;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::uint32_t value = sentence.value(to, static_cast<std::size_t>(columns[i]));
        along_[i][at(to)] = mix(mix(along_[i][at(from)] ^ (up ? 2u : 3u)) ^ value);
    }
    queue_.push_back(to);
}

std::uint32_t bin_between(Index one, Index other) {
    const Index between = std::max<Index>(std::abs(one - other) - 1, 0);
    return static_cast<std::uint32_t>(between <= 5 ? between : between <= 10 ? 6 : 11);
}

RoleProgram::RoleProgram(std::vector<RoleAddress> addresses, std::vector<RoleAtom> atoms,
                         std::vector<std::int32_t> joined, std::span<const std::int32_t> ends,
                         std::vector<std::int32_t> along, std::uint64_t seed)
    : addresses_(std::move(addresses)),
      atoms_(std::move(atoms)),
      joined_(std::move(joined)),
      along_(std::move(along)),
      repeated_(atoms_.size(), false) {
    if (ends.size() > most_templates) throw std::invalid_argument("there are too many templates");
    const auto need_column = [&](std::int32_t column) {
        if (column < 0) throw std::invalid_argument("no such column");
        columns_ = std::max(columns_, static_cast<std::size_t>(column) + 1);
    };
    for (const RoleAddress& address : addresses_) {
        if (address.steps.size() > most_steps) throw std::invalid_argument("an address has too many steps");
    }
    for (const std::int32_t column : along_) need_column(column);
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        const RoleAtom& atom = atoms_[i];
        const bool placed = atom.sight == RoleSight::column || atom.sight == RoleSight::children ||
                            atom.sight == RoleSight::role;
        if (placed) {
            if (atom.address < 0 || static_cast<std::size_t>(atom.address) >= addresses_.size()) {
                throw std::invalid_argument("no such address");
            }
            const RoleBase base = addresses_[static_cast<std::size_t>(atom.address)].base;
            repeated_[i] = base == RoleBase::each_child || base == RoleBase::each_argument;
        }
        if (atom.sight == RoleSight::column || atom.sight == RoleSight::children) need_column(atom.argument);
        if (atom.sight == RoleSight::path_column &&
            (atom.argument < 0 || static_cast<std::size_t>(atom.argument) >= along_.size())) {
            throw std::invalid_argument("no such column along a path");
        }
    }
    std::size_t first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto last = static_cast<std::size_t>(ends[i]);
        if (ends[i] < 0 || last < first || last > joined_.size()) {
            throw std::invalid_argument("templates must end in order");
        }
        RoleBase each = RoleBase::predicate;
        for (std::size_t j = first; j < last; ++j) {
            if (joined_[j] < 0 || static_cast<std::size_t>(joined_[j]) >= atoms_.size()) {
                throw std::invalid_argument("no such atom");
            }
            const auto atom = static_cast<std::size_t>(joined_[j]);
            if (repeated_[atom]) each = addresses_[static_cast<std::size_t>(atoms_[atom].address)].base;
        }
        templates_.push_back({first, last, mix(seed + i), each});
        first = last;
    }
}

Index RoleProgram::find(const RoleAddress& address, const RoleView& view, Index base) const {
    Index node = base;
    const RoleSentence& sentence = view.sentence;
    for (const RoleStep& step : address.steps) {
        if (node < 0) return none;
        const auto siblings = [&] {
            const Index head = sentence.head(node);
            return head < 0 ? std::span<const Index>{} : sentence.children(head);
        };
        const auto end_of = [](std::span<const Index> list, bool front) {
            return list.empty() ? none : front ? list.front() : list.back();
        };
        switch (step.move) {
            case RoleMove::offset: {
                const std::int64_t moved = node + step.argument;
                node = moved < 1 || moved > sentence.size() ? none : static_cast<Index>(moved);
                break;
            }
            case RoleMove::parent:
                node = sentence.head(node);
                break;
            case RoleMove::first_child:
            case RoleMove::last_child:
                node = end_of(sentence.children(node), step.move == RoleMove::first_child);
                break;
            case RoleMove::first_sibling:
            case RoleMove::last_sibling:
                node = end_of(siblings(), step.move == RoleMove::first_sibling);
                break;
            case RoleMove::left_sibling:
            case RoleMove::right_sibling: {
                const auto list = siblings();
                const auto place = std::find(list.begin(), list.end(), node);
                if (step.move == RoleMove::left_sibling) {
                    node = place == list.begin() || list.empty() ? none : *(place - 1);
                } else {
                    node = place == list.end() || place + 1 == list.end() ? none : *(place + 1);
                }
                break;
            }
            case RoleMove::child: {
                const auto list = sentence.children(node);
                const auto place = std::find_if(list.begin(), list.end(), [&](Index each) {
                    return static_cast<std::int64_t>(sentence.label(each)) == step.argument;
                });
                node = place == list.end() ? none : *place;
                break;
            }
        }
    }
    return node;
}

Index RoleProgram::node_of(const RoleAtom& atom, const RoleView& view, Index each) const {
    if (atom.sight != RoleSight::column && atom.sight != RoleSight::children) return none;
    const RoleAddress& address = addresses_[static_cast<std::size_t>(atom.address)];
    const Index base = address.base == RoleBase::predicate  ? view.predicate
                       : address.base == RoleBase::argument ? view.argument
                                                            : each;
    return find(address, view, base);
}

std::uint64_t RoleProgram::see(const RoleAtom& atom, const RoleView& view, Index node,
                               std::int32_t role) const {
    const Index p = view.predicate, a = view.argument;
    switch (atom.sight) {
        case RoleSight::column:
            return view.sentence.value(node, static_cast<std::size_t>(atom.argument));
        case RoleSight::children: {
            if (node < 0) return RoleSentence::missing_value;
            std::uint64_t hash = 1;
            bool after = false;
            for (const Index child : view.sentence.children(node)) {
                if (!after && child > node) hash = mix(hash ^ 7u), after = true;
                hash = mix(hash ^ view.sentence.value(child, static_cast<std::size_t>(atom.argument)));
            }
            return hash;
        }
        case RoleSight::direction:
            return a < p ? 1 : a == p ? 2 : 3;
        case RoleSight::distance:
            return bin_between(a, p);
        case RoleSight::path:
            return view.paths.shape(a);
        case RoleSight::path_length:
            return view.paths.length(a);
        case RoleSight::path_column:
            return view.paths.along(a, static_cast<std::size_t>(atom.argument));
        case RoleSight::family:
            return number(view.paths.family(a));
        case RoleSight::previous:
            return view.previous;
        case RoleSight::used:
            return view.used;
        case RoleSight::sense:
            return view.sense;
        case RoleSight::role:
            return number(role) + 1;
        case RoleSight::sequence:
            return view.sequence;
        case RoleSight::core:
            return view.core;
    }
    return 0;
}

void RoleProgram::extract(const RoleView& view, std::vector<std::uint64_t>& features) const {
    features.clear();
    thread_local std::vector<std::uint64_t> seen;
    seen.resize(atoms_.size());
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        if (!repeated_[i]) seen[i] = see(atoms_[i], view, node_of(atoms_[i], view, none), 0);
    }
    const auto add = [&](const Template& each) {
        if (features.size() == most_features) return;
        std::uint64_t hash = each.seed;
        for (std::size_t i = each.first; i < each.last; ++i) {
            hash = join(hash, seen[static_cast<std::size_t>(joined_[i])]);
        }
        features.push_back(mix(hash));
    };
    const auto add_with = [&](const Template& each, Index node, std::int32_t role) {
        for (std::size_t i = each.first; i < each.last; ++i) {
            const auto atom = static_cast<std::size_t>(joined_[i]);
            if (repeated_[atom])
                seen[atom] = see(atoms_[atom], view, node_of(atoms_[atom], view, node), role);
        }
        add(each);
    };
    for (const Template& each : templates_) {
        if (each.each == RoleBase::each_child) {
            const auto children = view.sentence.children(view.predicate);
            for (const Index child : children.first(std::min(children.size(), most_each))) {
                add_with(each, child, 0);
            }
        } else if (each.each == RoleBase::each_argument) {
            for (const Assigned& one : view.arguments.first(std::min(view.arguments.size(), most_each))) {
                add_with(each, one.word, one.role);
            }
        } else {
            add(each);
        }
    }
}

}  // namespace plait
