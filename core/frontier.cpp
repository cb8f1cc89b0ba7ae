#include "core/frontier.hpp"

#include <cmath>
#include <string>

namespace plait {

Frontier::Frontier(Repertoire repertoire, const FrontierOptions& options, Slots slots,
                   std::vector<std::int64_t> offsets, std::vector<std::uint16_t> classes)
    : repertoire_(std::move(repertoire)),
      options_(options),
      slots_(std::move(slots)),
      offsets_(std::move(offsets)),
      classes_(std::move(classes)),
      parses_(offsets_, options.best) {
    if (!with_system(options.system, [&](auto system) { return repertoire_.suffices(system); })) {
        throw std::invalid_argument("with these labels a search could get stuck");
    }
    start();
}

template <typename Use>
decltype(auto) Frontier::with_setting(Use use) const {
    return with_system(options_.system, [&](auto system) -> decltype(auto) {
        return use(Setting<decltype(system)>{system, repertoire_, options_.single_root});
    });
}

void Frontier::start() {
    const std::size_t width = std::max(options_.beam, options_.best);
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
        const auto begin = static_cast<std::size_t>(offsets_[i]);
        const auto length = static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]);
        Words words;
        if (!classes_.empty()) words.classes = std::span(classes_).subspan(begin, length);
        Run& run = runs_.emplace_back(Run{begin, static_cast<Index>(length), words, Beam(width)});
        if (length == 0) continue;
        with_system(options_.system, [&](auto system) { run.beam.start(system, run.length); });
        live_.push_back(i);
    }
    list_rows();
}

void Frontier::keep(Arcs given) {
    given_ = std::move(given);
    for (Run& run : runs_) {
        const auto length = static_cast<std::size_t>(run.length);
        run.given = Given(std::span(given_.heads).subspan(run.begin, length),
                          std::span(given_.labels).subspan(run.begin, length));
    }
}

void Frontier::teach(Arcs gold, OracleId oracle, std::int64_t budget) {
    gold_ = std::move(gold);
    deriver_.emplace(options_.system, oracle, options_.single_root, budget);
    tutor_.emplace(*deriver_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        Run& run = runs_[i];
        const auto length = static_cast<std::size_t>(run.length);
        run.gold.emplace(std::span(gold_.heads).subspan(run.begin, length),
                         gold_.labels.empty()
                             ? std::span<const Label>{}
                             : std::span<const Label>(gold_.labels).subspan(run.begin, length));
        if (!deriver_->derivable(*run.gold)) {
            throw std::invalid_argument("tree " + std::to_string(i) + " is not derivable in this system");
        }
        tutor_->plan(*run.gold, run.script);
    }
}

void Frontier::list_rows() {
    rows_.clear();
    std::erase_if(live_, [&](std::size_t i) { return !runs_[i].derivation.empty(); });
    with_setting([&](const auto& setting) {
        for (const std::size_t i : live_) {
            const auto hypotheses = runs_[i].beam.hypotheses();
            for (std::size_t j = 0; j < hypotheses.size(); ++j) {
                const State& state = hypotheses[j].state;
                if (setting.system.terminal(state)) continue;
                rows_.push_back({i, j});
                setting.each_deep(state, [&](Kind kind, Index depth, Index head) {
                    rows_.push_back({i, j, Context{kind, head}, depth});
                });
            }
        }
    });
}

// Calls `use(transition, number)` for what a row has scores of.
template <typename System, typename Use>
void Frontier::each_permitted(const Setting<System>& setting, const Row& row, Use use) const {
    const State& at = state(row);
    const Words& words = runs_[row.sentence].words;
    if (row.depth == 1) {
        repertoire_.each_permitted(setting.system, at, words, setting.single_root, use);
    } else {
        const Arc arc = arc_of(setting.system, at, {row.context.side, none, row.depth});
        repertoire_.each_label(row.context.side, row.depth, arc, at, words, use);
    }
}

void Frontier::find_slots(std::span<Index> slots) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        slots_.find(state(rows_[i]), rows_[i].context, slots.subspan(i * slots_.size(), slots_.size()));
    }
}

void Frontier::find_permitted(std::span<std::uint8_t> permitted) const {
    std::ranges::fill(permitted, std::uint8_t{0});
    with_setting([&](const auto& setting) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            each_permitted(setting, rows_[i], [&](Transition, std::size_t number) {
                permitted[i * transitions() + number] = 1;
            });
        }
    });
}

template <typename System>
void Frontier::ask_tutor(System system, Run& run) {
    if (!run.correct.empty()) return;
    for (const Hypothesis& hypothesis : run.beam.hypotheses()) {
        TransitionSet& correct = run.correct.emplace_back();
        if (system.terminal(hypothesis.state)) continue;
        const bool on_path = run.on_path[static_cast<std::size_t>(hypothesis.last + 1)] != 0;
        correct = tutor_->correct(system, hypothesis.state, *run.gold, run.script, on_path);
    }
}

void Frontier::find_correct(std::span<std::uint8_t> correct) {
    if (!tutor_) throw std::invalid_argument("without gold trees nothing is known to be correct");
    std::ranges::fill(correct, std::uint8_t{0});
    with_setting([&](const auto& setting) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            Run& run = runs_[rows_[i].sentence];
            ask_tutor(setting.system, run);
            const TransitionSet& set = run.correct[rows_[i].hypothesis];
            each_permitted(setting, rows_[i], [&](Transition transition, std::size_t number) {
                correct[i * transitions() + number] =
                    is_correct(setting.system, state(rows_[i]), *run.gold, set, transition);
            });
        }
    });
}

// `take()` moves the beam; here it is noted what is still on the path to the gold tree, and what is finished.
template <typename System, typename Take>
void Frontier::step(System system, std::size_t sentence, Take take) {
    Run& run = runs_[sentence];
    std::vector<std::int32_t> before;
    if (tutor_) {
        ask_tutor(system, run);
        for (const Hypothesis& hypothesis : run.beam.hypotheses()) before.push_back(hypothesis.last);
    }
    take();
    bool moving = false;
    for (const Hypothesis& hypothesis : run.beam.hypotheses()) {
        moving |= !system.terminal(hypothesis.state);
        if (!tutor_ || std::ranges::find(before, hypothesis.last) != before.end()) continue;
        const Step& last = run.beam.step(hypothesis.last);
        const auto parent = static_cast<std::size_t>(std::ranges::find(before, last.before) - before.begin());
        const auto number = static_cast<std::size_t>(hypothesis.last + 1);
        if (run.on_path.size() <= number) run.on_path.resize(number + 1);
        run.on_path[number] = run.on_path[static_cast<std::size_t>(last.before + 1)] != 0 &&
                              run.correct[parent].has(last.transition);
    }
    run.correct.clear();
    if (moving) return;
    const Hypothesis& best = run.beam.hypotheses().front();
    run.beam.spell(best.last, run.derivation);
    if (greedy()) {
        parses_.store(best.state, best.score, sentence, run.begin);
    } else {
        parses_.rank(run.beam.hypotheses(), sentence, run.begin);
    }
    run.beam = Beam(1);  // its memory is not needed any more
}

void Frontier::advance(std::span<const float> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (std::isnan(scores[i]) || scores[i] == std::numeric_limits<float>::infinity()) {
            throw std::invalid_argument("row " + std::to_string(i / transitions()) +
                                        " has a score that is not a number below infinity");
        }
    }
    GivenScores scorer(scores, transitions());
    with_setting([&](const auto& setting) {
        for (const std::size_t i : live_) {
            Run& run = runs_[i];
            scorer.read(run.words);
            step(setting.system, i, [&] {
                if (!greedy()) {
                    run.beam.advance(setting.system, OfferAll(setting, scorer, run.given));
                    return;
                }
                const std::span<float> margins(parses_.margins.data() + run.begin,
                                               static_cast<std::size_t>(run.length));
                const State& at = run.beam.hypotheses().front().state;
                const Choice best = choose_greedily(setting, scorer, run.given, at, margins);
                run.beam.take(setting.system, best.transition, best.score);
            });
        }
    });
    list_rows();
}

void Frontier::follow(std::span<const std::int64_t> choices) {
    if (!greedy()) throw std::invalid_argument("a beam follows scores, not choices");
    with_setting([&](const auto& setting) {
        std::vector<std::optional<Transition>> chosen(runs_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (choices[i] == none) continue;
            std::optional<Transition> found;
            each_permitted(setting, rows_[i], [&](Transition transition, std::size_t number) {
                if (static_cast<std::int64_t>(number) == choices[i]) found = transition;
            });
            if (!found || chosen[rows_[i].sentence]) {
                throw std::invalid_argument("row " + std::to_string(i) + ": transition " +
                                            std::to_string(choices[i]) + " is not permitted");
            }
            chosen[rows_[i].sentence] = found;
        }
        for (const std::size_t i : live_) {
            if (!chosen[i]) {
                throw std::invalid_argument("sentence " + std::to_string(i) + ": no transition is chosen");
            }
        }
        for (const std::size_t i : live_) {
            step(setting.system, i, [&] { runs_[i].beam.take(setting.system, *chosen[i], 0); });
        }
    });
    list_rows();
}

}  // namespace plait
