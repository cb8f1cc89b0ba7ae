// The arcs a tree may be made of: which heads every word may have, and with which labels.
#pragma once

#include <span>
#include <vector>

#include "core/transition.hpp"

namespace plait {

struct Candidate {
    Index head, dependent;
    std::int32_t rank = 0;  // among the dependents of its head on that side; the nearest one has 1
    std::uint32_t first_label = 0, label_count = 0;

    bool rightward() const { return head < dependent; }
    std::size_t width() const {
        return static_cast<std::size_t>(rightward() ? dependent - head : head - dependent);
    }
};

using ArcNumber = std::int32_t;  // of a candidate, or `none`

class Candidates {
  public:
    void reset(Index words);
    void add(Index head, Index dependent, std::span<const Label> labels);
    // After the last arc. Numbers of arcs are by dependent, then by head.
    void finish();

    Index words() const { return words_; }
    std::size_t size() const { return arcs_.size(); }
    const Candidate& operator[](ArcNumber number) const { return arcs_[at(number)]; }
    std::span<const Label> labels(ArcNumber number) const {
        const Candidate& arc = arcs_[at(number)];
        return std::span(labels_).subspan(arc.first_label, arc.label_count);
    }
    // The arcs from a head to one side, the nearest dependent first.
    std::span<const ArcNumber> from(Index head, bool rightward) const {
        return slice(from_, from_ends_, 2 * at(head) + rightward);
    }
    // The numbers of the arcs to a word: from the first to before the last.
    std::pair<ArcNumber, ArcNumber> to(Index dependent) const {
        return {to_[at(dependent)], to_[at(dependent) + 1]};
    }
    ArcNumber find(Index head, Index dependent) const;

    // How many arcs from the dependent go towards the head and end before it.
    std::size_t inner_count(ArcNumber number) const;
    std::span<const ArcNumber> inner(ArcNumber number) const {
        const Candidate& arc = arcs_[at(number)];
        return from(arc.dependent, !arc.rightward()).first(inner_count(number));
    }
    std::span<const ArcNumber> outer(ArcNumber number) const {
        const Candidate& arc = arcs_[at(number)];
        return from(arc.dependent, arc.rightward());
    }
    // The arcs from the same head that end before this one.
    std::span<const ArcNumber> siblings(ArcNumber number) const {
        const Candidate& arc = arcs_[at(number)];
        return from(arc.head, arc.rightward()).first(at(arc.rank - 1));
    }

  private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static std::span<const ArcNumber> slice(const std::vector<ArcNumber>& all,
                                            const std::vector<std::int32_t>& ends, std::size_t i) {
        return std::span(all).subspan(at(ends[i]), at(ends[i + 1] - ends[i]));
    }

    Index words_ = 0;
    std::vector<Candidate> arcs_;
    std::vector<Label> labels_;
    std::vector<ArcNumber> from_, to_;
    std::vector<std::int32_t> from_ends_;
};

// A tree of candidates: for every word its arc and the place of its label in the list of that arc.
struct ArcTree {
    struct Choice {
        ArcNumber arc = none;
        std::int32_t label = none;

        bool operator==(const Choice&) const = default;
    };
    std::vector<Choice> words;  // word 0 is the root and has no arc

    void reset(Index count) { words.assign(static_cast<std::size_t>(count) + 1, {}); }
    Choice& operator[](Index word) { return words[static_cast<std::size_t>(word)]; }
    const Choice& operator[](Index word) const { return words[static_cast<std::size_t>(word)]; }
};

}  // namespace plait
