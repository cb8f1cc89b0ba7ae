// What search asks of a model: scores of the transitions that see a state in the same context. In most
// systems there is one context per state, in the spine system one more for every arc from deeper down a
// spine. Where scores come from is the model's business: the hash kernel (core/feature_scorer.hpp), or
// whoever fills the rows of a frontier (core/frontier.hpp).
#pragma once

#include <concepts>
#include <span>

#include "core/repertoire.hpp"

namespace plait {

template <typename T>
concept TransitionScorer = requires(T scorer, const State& state, Context context, Kind kind, Arc arc) {
    // By number of transition. Of the default context all of them; of an arc from deeper down, its labels.
    { scorer.score(state, context) } -> std::convertible_to<std::span<const float>>;
    // Whether arcs complete parts of the tree that are scored too, and the scores just given with those of
    // the parts that an arc of this kind would complete.
    { scorer.completes() } -> std::convertible_to<bool>;
    { scorer.complete(state, kind, arc) };
    // What SHIFT gains by giving the word the tag of this rank, where there are several.
    { scorer.tag_score(state, Index{}) } -> std::convertible_to<float>;
    { scorer.words() } -> std::convertible_to<const Words&>;
};

// What learning asks besides, where scores are sums of weights of features: these features, for a context,
// for a tag that SHIFT gives, and for the parts that an arc completes.
template <typename T>
concept LinearScorer = TransitionScorer<T> && requires(T scorer, const State& state, Context context, Arc arc,
                                                       void (*use)(std::uint64_t, Label, std::int32_t)) {
    { scorer.extract(state, context) } -> std::convertible_to<std::span<const std::uint64_t>>;
    { scorer.features(state, context) } -> std::convertible_to<std::span<const std::uint64_t>>;
    { scorer.tag_features(state, Index{}) } -> std::convertible_to<std::span<const std::uint64_t>>;
    { scorer.each_completed(state, arc, Label{}, use) };
};

}  // namespace plait
