// The tokenizer: characters in, ends of tokens and sentences out.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/codes.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"
#include "core/text/choice.hpp"
#include "core/text/trainer.hpp"

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
                           bool fresh, bool is_all, const Cancel* cancel) {
    const Characters text = characters_of(codes, classes);
    const Seams between = seams_of(seams);
    if (weights.windows.width() != decisions) throw std::invalid_argument("weights of another kind");
    if (longest_sentence < 1 || longest_token < 1) throw std::invalid_argument("lengths begin at 1");
    Segments segments;
    {
        const CoreWork work(cancel);
        const SegmentationOptions options{longest_sentence, longest_token, bias, lines};
        segments = segment(weights, between, lexicon, text, options, fresh, is_all);
    }
    return {to_numpy(std::move(segments.firsts)), to_numpy(std::move(segments.lasts)),
            to_numpy(std::move(segments.ends))};
}

void make_trainer(SegmentationTrainer* self, Input<std::uint8_t> seams, Input<std::uint32_t> codes,
                  Input<std::uint8_t> classes, Input<std::uint8_t> gold, int bits, float longest_step) {
    const Characters text = characters_of(codes, classes);
    if (gold.size() != text.size()) throw std::invalid_argument("one decision per character is needed");
    for (const std::uint8_t decision : view(gold)) {
        if (decision >= decisions) throw std::invalid_argument("no such decision");
    }
    new (self) SegmentationTrainer(seams_of(seams), text, copied(gold), bits, longest_step);
}

// Hashes, cases (see WordList) and the numbers of their lessons.
std::tuple<Output<std::uint32_t>, Output<std::uint8_t>, Output<std::int64_t>> words_of(
    const SegmentationTrainer& trainer) {
    WordList list = trainer.words();
    return {to_numpy(std::move(list.hashes)), to_numpy(std::move(list.cases)),
            to_numpy(std::move(list.places))};
}

// The number of decisions and updates.
std::tuple<std::int64_t, std::int64_t> learn(SegmentationTrainer& trainer, Input<std::int64_t> order,
                                             Input<std::int64_t> folds, std::vector<const Lexicon*> lexicons,
                                             Input<std::uint8_t> showings, bool follow) {
    if (folds.size() != trainer.size() || showings.size() != trainer.size()) {
        throw std::invalid_argument("one fold and one showing per lesson are needed");
    }
    for (const std::int64_t fold : view(folds)) {
        if (static_cast<std::size_t>(fold) >= lexicons.size()) throw std::invalid_argument("no such fold");
    }
    std::vector<Showing> shown;
    for (const std::uint8_t showing : view(showings)) {
        shown.push_back(to_code<Showing>(showing, showing_count, "showing"));
    }
    const nb::gil_scoped_release release;
    const SegmentationReport report = trainer.learn(view(order), view(folds), lexicons, shown, follow);
    return {report.decisions, report.updates};
}

ChoiceRows rows_of(const Rows<std::uint32_t>& rows) {
    if (rows.shape(1) < 1 || rows.shape(1) > most_features) throw std::invalid_argument("wrong row length");
    return {{rows.data(), rows.size()}, rows.shape(1)};
}

template <typename Weights>
Output<std::uint8_t> choose_in_rows(const Weights& weights, Rows<std::uint32_t> rows, const Cancel* cancel) {
    if (weights.windows.width() > 256) throw std::invalid_argument("too many choices");
    std::vector<std::uint8_t> chosen;
    {
        const CoreWork work(cancel);
        chosen = choose(weights, rows_of(rows));
    }
    return to_numpy(std::move(chosen));
}

// The weights learned in so many passes over the rows in a given order.
Output<float> learn_choices(Rows<std::uint32_t> rows, Input<std::uint8_t> right, Input<std::int64_t> order,
                            int bits, std::size_t width, float longest_step) {
    const ChoiceRows examples = rows_of(rows);
    if (width < 2 || right.size() != examples.size()) throw std::invalid_argument("choices and rows differ");
    for (const std::uint8_t choice : view(right)) {
        if (choice >= width) throw std::invalid_argument("no such choice");
    }
    return to_numpy(learn_in_order(examples, view(right), view(order), bits, width, longest_step));
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

    nb::class_<SegmentationTrainer> trainer(m, "TokenizerTrainer");
    trainer
        .def("__init__", &make_trainer, "seams"_a, "codes"_a, "classes"_a, "gold"_a, "bits"_a,
             "longest_step"_a)
        .def("__len__", &SegmentationTrainer::size)
        .def("learn", &learn, "order"_a, "folds"_a, "lexicons"_a, "showings"_a, "follow"_a)
        .def("words", &words_of);
    bind_learning(trainer);

    const auto bind_segment = [&m](auto function) {
        m.def("segment", function, "weights"_a, "seams"_a, "lexicon"_a, "codes"_a, "classes"_a,
              "longest_sentence"_a, "longest_token"_a, "bias"_a, "lines"_a, "fresh"_a, "is_all"_a,
              "cancel"_a.none() = nb::none(),
              "Where tokens begin and end, and whether a sentence (1) or a paragraph (2) ends with them.");
    };
    bind_segment(&segment_text<Kernel>);
    bind_segment(&segment_text<CompactKernel>);

    m.def("choose_in_rows", &choose_in_rows<Kernel>, "weights"_a, "rows"_a, "cancel"_a.none() = nb::none());
    m.def("choose_in_rows", &choose_in_rows<CompactKernel>, "weights"_a, "rows"_a,
          "cancel"_a.none() = nb::none(), "The best choice for every row.");
    m.def("learn_choices", &learn_choices, "rows"_a, "right"_a, "order"_a, "bits"_a, "width"_a,
          "longest_step"_a);
}
