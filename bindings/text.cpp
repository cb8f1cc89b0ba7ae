// The tokenizer: characters in, ends of tokens and sentences out.
#include "bindings/text.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "core/text/choice.hpp"
#include "core/text/learner.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

Characters characters_of(const Input<std::uint32_t>& codes, const Input<std::uint8_t>& classes) {
    if (codes.size() != classes.size()) throw std::invalid_argument("one class per character is needed");
    for (const std::uint8_t c : view(classes)) {
        if (c >= char_classes) throw std::invalid_argument("no such class of characters");
    }
    return {view(codes), view(classes)};
}

Seams seams_of(const Input<std::uint8_t>& flags) {
    Seams seams;
    if (flags.size() != seams.size()) throw std::invalid_argument("one flag per pair of classes is needed");
    for (std::size_t i = 0; i < seams.size(); ++i) seams[i] = view(flags)[i] != 0;
    return seams;
}

using SegmentArrays = std::tuple<Output<std::int64_t>, Output<std::int64_t>, Output<std::uint8_t>>;

template <typename Weights>
SegmentArrays segment_text(const Weights& weights, Input<std::uint8_t> seams, const Lexicon& lexicon,
                           Input<std::uint32_t> codes, Input<std::uint8_t> classes,
                           std::size_t longest_sentence, std::size_t longest_token, float bias, bool lines,
                           bool fresh, bool is_all) {
    const Characters text = characters_of(codes, classes);
    const Seams between = seams_of(seams);
    if (weights.windows.width() != decisions) throw std::invalid_argument("weights of another kind");
    if (longest_sentence < 1 || longest_token < 1) throw std::invalid_argument("lengths begin at 1");
    Segments segments;
    {
        const nb::gil_scoped_release release;
        const SegmentationOptions options{longest_sentence, longest_token, bias, lines};
        segments = segment(weights, between, lexicon, text, options, fresh, is_all);
    }
    return {to_numpy(std::move(segments.firsts)), to_numpy(std::move(segments.lasts)),
            to_numpy(std::move(segments.ends))};
}

// Weights that learn from a text, lesson by lesson.
class SegmentationTrainer {
  public:
    SegmentationTrainer(Input<std::uint8_t> seams, Input<std::uint32_t> codes, Input<std::uint8_t> classes,
                        Input<std::uint8_t> gold, int bits, float longest_step)
        : seams_(seams_of(seams)), gold_(view(gold).begin(), view(gold).end()), learner_(bits, longest_step) {
        const Characters text = characters_of(codes, classes);
        if (gold_.size() != text.size()) throw std::invalid_argument("one decision per character is needed");
        for (const std::uint8_t decision : gold_) {
            if (decision >= decisions) throw std::invalid_argument("no such decision");
        }
        Paragraphs paragraphs(text, false, true);
        Paragraph paragraph;
        while (paragraphs.next(paragraph)) cut_lessons(paragraph, gold_, lessons_);
    }

    std::size_t size() const { return lessons_.size(); }

    // The words of all lessons: hashes, cases (see WordList) and the numbers of their lessons.
    std::tuple<Output<std::uint32_t>, Output<std::uint8_t>, Output<std::int64_t>> words() const {
        WordList list;
        for (std::size_t i = 0; i < lessons_.size(); ++i) {
            list_words(lessons_[i], static_cast<std::int64_t>(i), gold_, list);
        }
        return {to_numpy(std::move(list.hashes)), to_numpy(std::move(list.cases)),
                to_numpy(std::move(list.places))};
    }

    // One pass over the lessons named in `order`, each with the lexicon of its fold and shown as `showings`
    // says. Returns the number of decisions and updates.
    std::tuple<std::int64_t, std::int64_t> learn(Input<std::int64_t> order, Input<std::int64_t> folds,
                                                 std::vector<const Lexicon*> lexicons,
                                                 Input<std::uint8_t> showings, bool follow) {
        if (folds.size() != lessons_.size() || showings.size() != lessons_.size()) {
            throw std::invalid_argument("one fold and one showing per lesson are needed");
        }
        for (const std::int64_t fold : view(folds)) {
            if (static_cast<std::size_t>(fold) >= lexicons.size())
                throw std::invalid_argument("no such fold");
        }
        SegmentationReport report;
        const nb::gil_scoped_release release;
        for (const std::int64_t number : view(order)) {
            const auto i = static_cast<std::size_t>(number);
            if (i >= lessons_.size()) throw std::invalid_argument("no such lesson");
            const Lexicon& lexicon = *lexicons[static_cast<std::size_t>(view(folds)[i])];
            const auto showing = static_cast<Showing>(view(showings)[i]);
            if (showing == Showing::as_written) {
                learner_.learn(lessons_[i], seams_, lexicon, gold_, follow, report);
            } else {
                learner_.learn(shown(lessons_[i], showing), seams_, lexicon, gold_, follow, report);
            }
        }
        return {report.decisions, report.updates};
    }

    Output<float> averaged() const {
        std::vector<float> mean(learner_.kernel.windows.cells());
        learner_.averaged.average(mean);
        return to_numpy(std::move(mean));
    }

  private:
    Seams seams_;
    std::vector<std::uint8_t> gold_;
    std::vector<Lesson> lessons_;
    SegmentationLearner learner_;
};

ChoiceRows rows_of(const Rows<std::uint32_t>& rows) {
    if (rows.shape(1) < 1 || rows.shape(1) > most_features) throw std::invalid_argument("wrong row length");
    return {{rows.data(), rows.size()}, rows.shape(1)};
}

template <typename Weights>
Output<std::uint8_t> choose_all(const Weights& weights, Rows<std::uint32_t> rows) {
    if (weights.windows.width() > 256) throw std::invalid_argument("too many choices");
    return to_numpy(choose(weights, rows_of(rows)));
}

// The weights learned in so many passes over the rows in a given order.
Output<float> learn_choices(Rows<std::uint32_t> rows, Input<std::uint8_t> right, Input<std::int64_t> order,
                            int bits, std::size_t width, float longest_step) {
    const ChoiceRows examples = rows_of(rows);
    if (width < 2 || right.size() != examples.size()) throw std::invalid_argument("choices and rows differ");
    ChoiceLearner learner(bits, width, longest_step);
    for (const std::int64_t number : view(order)) {
        const auto i = static_cast<std::size_t>(number);
        if (i >= examples.size() || view(right)[i] >= width) throw std::invalid_argument("no such choice");
        learner.learn(examples, i, view(right)[i]);
    }
    std::vector<float> mean(learner.kernel.windows.cells());
    learner.averaged.average(mean);
    return to_numpy(std::move(mean));
}

}  // namespace

void bind_text(nb::module_& m) {
    m.attr("CHARACTER_CLASSES") = char_classes;

    nb::class_<Lexicon>(m, "Lexicon")
        .def(
            "__init__",
            [](Lexicon* self, Input<std::uint32_t> hashes, Input<std::uint8_t> kinds) {
                new (self) Lexicon(view(hashes), view(kinds));
            },
            "hashes"_a, "kinds"_a);

    nb::class_<SegmentationTrainer>(m, "TokenizerTrainer")
        .def(nb::init<Input<std::uint8_t>, Input<std::uint32_t>, Input<std::uint8_t>, Input<std::uint8_t>,
                      int, float>(),
             "seams"_a, "codes"_a, "classes"_a, "gold"_a, "bits"_a, "longest_step"_a)
        .def("__len__", &SegmentationTrainer::size)
        .def("learn", &SegmentationTrainer::learn, "order"_a, "folds"_a, "lexicons"_a, "showings"_a,
             "follow"_a)
        .def("words", &SegmentationTrainer::words)
        .def("averaged", &SegmentationTrainer::averaged);

    const auto bind_segment = [&m](auto function) {
        m.def("segment", function, "weights"_a, "seams"_a, "lexicon"_a, "codes"_a, "classes"_a,
              "longest_sentence"_a, "longest_token"_a, "bias"_a, "lines"_a, "fresh"_a, "is_all"_a,
              "Where tokens begin and end, and whether a sentence (1) or a paragraph (2) ends with them.");
    };
    bind_segment(&segment_text<Kernel>);
    bind_segment(&segment_text<CompactKernel>);

    m.def("choose", &choose_all<Kernel>, "weights"_a, "rows"_a);
    m.def("choose", &choose_all<CompactKernel>, "weights"_a, "rows"_a, "The best choice for every row.");
    m.def("learn_choices", &learn_choices, "rows"_a, "right"_a, "order"_a, "bits"_a, "width"_a,
          "longest_step"_a);
}
