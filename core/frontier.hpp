// Searches of many sentences side by side that wait for scores from elsewhere: a frontier hands out what its
// states look at, takes a row of scores for each, and advances them all.
#pragma once

#include <optional>

#include "core/addresses.hpp"
#include "core/learn/tutor.hpp"
#include "core/model.hpp"
#include "core/parses.hpp"
#include "core/search.hpp"
#include "core/sentences.hpp"

namespace plait {

// Scores that were computed before, row by row, in the order in which search asks for them.
class GivenScores {
  public:
    GivenScores(std::span<const float> scores, std::size_t width) : rest_(scores), width_(width) {}

    void read(const Words& words) { words_ = words; }
    const Words& words() const { return words_; }
    std::span<const float> score(const State&, const Context&) {
        const std::span<const float> row = rest_.first(width_);
        rest_ = rest_.subspan(width_);
        return row;
    }
    static bool completes() { return false; }
    static void complete(const State&, Kind, Arc) {}
    static float tag_score(const State&, Index) { return 0; }

  private:
    std::span<const float> rest_;
    std::size_t width_;
    Words words_;
};

static_assert(TransitionScorer<GivenScores>);

struct FrontierOptions {
    SystemId system = SystemId::swap;
    bool single_root = false;
    std::size_t beam = 1;
    std::size_t best = 1;  // how many trees per sentence
};

// Arcs of all words of a batch; of a word `none` where there is none.
struct Arcs {
    std::vector<Index> heads;
    std::vector<Label> labels;
};

// Tags are not chosen here: SHIFT only shifts.
class Frontier {
  public:
    // What is to be scored: a state of a sentence in a context. In systems with spines a state has several
    // rows, one more for every arc from deeper down; its number is that of a hypothesis.
    struct Row {
        std::size_t sentence, hypothesis;
        Context context{};
        Index depth = 1;
    };

    // `classes`: of words, if the repertoire filters labels by them.
    Frontier(Repertoire repertoire, const FrontierOptions& options, Slots slots,
             std::vector<std::int64_t> offsets, std::vector<std::uint16_t> classes);
    Frontier(const Frontier&) = delete;
    Frontier& operator=(const Frontier&) = delete;

    // Before the first step: arcs to keep, and trees to learn with what an oracle says of them. Without gold
    // labels any label is right.
    void keep(Arcs given);
    void teach(Arcs gold, OracleId oracle, std::int64_t budget);

    std::size_t transitions() const { return repertoire_.size(); }
    std::size_t slot_count() const { return slots_.size(); }
    SystemId system() const { return options_.system; }
    bool single_root() const { return options_.single_root; }
    const Repertoire& repertoire() const { return repertoire_; }

    // Those of a sentence one after the other, the best state first. Finished states have none.
    std::span<const Row> rows() const { return rows_; }
    const State& state(const Row& row) const {
        return runs_[row.sentence].beam.hypotheses()[row.hypothesis].state;
    }

    // Of all rows, one after the other: the nodes in their slots; 1 for what is permitted; 1 for what is
    // correct, none where the repertoire has not the label.
    void find_slots(std::span<Index> slots);
    void find_permitted(std::span<std::uint8_t> permitted) const;
    void find_correct(std::span<std::uint8_t> correct);

    // One step of all searches.
    void advance(std::span<const float> scores);
    // The same by transitions chosen elsewhere, with one state per sentence: for every row the number of a
    // transition, or `none` for the rows of its state that are not chosen.
    void follow(std::span<const std::int64_t> choices);

    // Of the sentences that are finished.
    const Parses& parses() const { return parses_; }
    const std::vector<Transition>& derivation(std::size_t sentence) const {
        return runs_[sentence].derivation;
    }
    std::size_t sentences() const { return runs_.size(); }
    std::span<const std::int64_t> offsets() const { return offsets_; }

  private:
    // The search of one sentence.
    struct Run {
        std::size_t begin;  // of its words
        Index length;
        Words words;
        Beam beam;
        Given given{};
        std::optional<Gold> gold{};
        std::vector<Kind> script{};
        std::vector<std::uint8_t> on_path{1};  // after every step so far, and before the first
        std::vector<TransitionSet> correct{};  // of the present hypotheses, once asked for
        std::vector<Transition> derivation{};  // once it is finished
    };

    bool greedy() const { return options_.beam == 1 && options_.best == 1; }
    template <typename System, typename Use>
    void each_permitted(const Setting<System>& setting, const Row& row, Use use) const;
    template <typename System>
    void ask_tutor(System system, Run& run);
    template <typename System, typename Take>
    void step(System system, std::size_t sentence, Take take);
    template <typename Use>
    decltype(auto) with_setting(Use use) const;
    void list_rows();
    void start();

    const Repertoire repertoire_;
    const FrontierOptions options_;
    Slots slots_;
    const std::vector<std::int64_t> offsets_;
    const std::vector<std::uint16_t> classes_;
    Arcs given_, gold_;
    std::optional<Deriver> deriver_;
    std::optional<Tutor> tutor_;
    std::vector<Run> runs_;
    std::vector<std::size_t> live_;  // sentences that are not finished
    std::vector<Row> rows_;
    Parses parses_;
};

// The scores of all rows under a scorer that reads sentences, as search would ask for them.
template <typename Scorer>
void score_rows(const ParserModel& model, Scorer& scorer, const Sentences& sentences,
                const Frontier& frontier, std::span<float> scores) {
    const std::size_t width = frontier.transitions();
    std::optional<std::size_t> read;
    with_setting(model, [&](const auto& setting) {
        for (std::size_t i = 0; i < frontier.rows().size(); ++i) {
            const Frontier::Row& row = frontier.rows()[i];
            if (read != row.sentence) scorer.read(sentences.words(row.sentence));
            read = row.sentence;
            const State& state = frontier.state(row);
            const auto found =
                row.depth == 1 ? setting.scores(state, scorer) : scorer.score(state, row.context);
            std::ranges::copy(found.first(width), scores.begin() + static_cast<std::ptrdiff_t>(i * width));
        }
    });
}

}  // namespace plait
