// What a state is but for the tags of its words (stack, buffer and labelled arcs), and these tags, as hashes.
#pragma once

#include "core/hash.hpp"
#include "core/prune.hpp"
#include "core/repertoire.hpp"

namespace plait {

namespace keys {

// Exclusive or of these is the key: what leaves a place is taken out as it was put in. Places count from the
// bottom of the stack and from the end of the buffer, where they do not move.
inline std::uint64_t at(std::uint64_t where, std::size_t place, Index node) {
    return mix(join(join(where, place), static_cast<std::uint64_t>(node)));
}
inline std::uint64_t stacked(std::size_t place, Index node) { return at(0x51, place, node); }
inline std::uint64_t waiting(std::size_t place, Index node) { return at(0xb5, place, node); }
inline std::uint64_t attached(Arc arc, Label label) {
    return mix(join(at(0xa3, static_cast<std::size_t>(arc.head), arc.dependent),
                    static_cast<std::uint64_t>(label + 1)));
}

inline std::uint64_t tagged(Index word, Index tag) { return at(0x7a, static_cast<std::size_t>(word), tag); }

}  // namespace keys

// The key after a transition, from the key before it; that of the start state may be anything. For systems
// whose arcs join the two top words of the stack.
template <typename System>
std::uint64_t tree_key_after(System system, const State& state, Transition transition, std::uint64_t key) {
    const std::size_t height = state.stack_size(), rest = state.buffer_size();
    const Index top = state.stack(0), below = state.stack(1), front = state.buffer(0);
    if (is_arc(transition.kind)) key ^= keys::attached(arc_of(system, state, transition), transition.label);
    switch (transition.kind) {
        case Kind::shift:
            return key ^ keys::waiting(rest - 1, front) ^ keys::stacked(height, front);
        case Kind::right_arc:
            return key ^ keys::stacked(height - 1, top);
        case Kind::left_arc:
            return key ^ keys::stacked(height - 1, top) ^ keys::stacked(height - 2, below) ^
                   keys::stacked(height - 2, top);
        default:
            return key ^ keys::stacked(height - 1, top) ^ keys::stacked(height - 2, below) ^
                   keys::stacked(height - 2, top) ^ keys::waiting(rest, below);
    }
}

// A word that SWAP sent back has its tag already.
template <typename System>
Keys keys_after(System system, const State& state, const Words& words, Transition transition,
                const Keys& before) {
    Keys keys{tree_key_after(system, state, transition, before.tree), before.tags};
    const Index front = state.buffer(0);
    if (transition.kind == Kind::shift && words.joint() && state.tag(front) == none) {
        keys.tags ^= keys::tagged(front, words.tag_of(front, transition.label));
    }
    return keys;
}

}  // namespace plait
