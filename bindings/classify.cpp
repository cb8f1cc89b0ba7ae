// Classifiers: choosing among candidates, and learning to.
#include "core/classify.hpp"

#include "bindings/arrays.hpp"
#include "bindings/learning.hpp"
#include "bindings/modules.hpp"
#include "bindings/work.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

// What the core may trust: classes below the width of the weights but one, which is shared.
Examples examples_of(const ClassifierProgram& program, std::size_t width, const Rows<std::uint32_t>& values,
                     const Input<std::int64_t>& offsets, const Input<ClassId>& candidates,
                     const Input<std::uint32_t>& sights) {
    if (values.shape(1) != program.columns()) throw std::invalid_argument("wrong number of columns");
    if (sights.size() != candidates.size()) throw std::invalid_argument("one sight per candidate is needed");
    check_offsets(view(offsets), candidates.size());
    if (offsets.size() != values.shape(0) + 1) throw std::invalid_argument("one row per example is needed");
    for (const ClassId candidate : view(candidates)) {
        if (candidate < 0 || static_cast<std::size_t>(candidate) + 1 >= width) {
            throw std::invalid_argument("no such class");
        }
    }
    return {{values.data(), values.size()}, values.shape(1), view(offsets), view(candidates), view(sights)};
}

template <typename Weights>
Output<std::int64_t> choose_candidates(const Weights& weights, const ClassifierProgram& program,
                                       Rows<std::uint32_t> values, Input<std::int64_t> offsets,
                                       Input<ClassId> candidates, Input<std::uint32_t> sights,
                                       const Cancel* cancel) {
    const Examples examples =
        examples_of(program, weights.windows.width(), values, offsets, candidates, sights);
    std::vector<std::int64_t> chosen;
    {
        const CoreWork work(cancel);
        chosen = classify(program, weights, examples);
    }
    return to_numpy(std::move(chosen));
}

template <typename Weights>
Output<float> score(const Weights& weights, const ClassifierProgram& program, Rows<std::uint32_t> values,
                    Input<std::int64_t> offsets, Input<ClassId> candidates, Input<std::uint32_t> sights,
                    const Cancel* cancel) {
    const Examples examples =
        examples_of(program, weights.windows.width(), values, offsets, candidates, sights);
    std::vector<float> scores;
    {
        const CoreWork work(cancel);
        scores = score_candidates(program, weights, examples);
    }
    return to_numpy(std::move(scores));
}

// The number of updates.
std::int64_t learn(ClassLearner& learner, Rows<std::uint32_t> values, Input<std::int64_t> offsets,
                   Input<ClassId> candidates, Input<std::uint32_t> sights, Input<std::uint8_t> correct,
                   Input<std::int64_t> order) {
    const Examples examples =
        examples_of(learner.program(), learner.width(), values, offsets, candidates, sights);
    if (correct.size() != candidates.size()) throw std::invalid_argument("one flag per candidate is needed");
    const nb::gil_scoped_release release;
    return learner.learn(examples, view(correct), view(order));
}

}  // namespace

void bind_classify(nb::module_& m) {
    nb::class_<ClassifierProgram>(m, "ClassifierProgram")
        .def(
            "__init__",
            [](ClassifierProgram* self, Input<std::int32_t> plain, Input<std::int32_t> plain_ends,
               Input<std::int32_t> seeing, Input<std::int32_t> seeing_ends, std::size_t columns,
               std::uint64_t seed) {
                new (self) ClassifierProgram({copied(plain), copied(plain_ends)},
                                             {copied(seeing), copied(seeing_ends)}, columns, seed);
            },
            "plain"_a, "plain_ends"_a, "seeing"_a, "seeing_ends"_a, "columns"_a, "seed"_a);

    nb::class_<ClassLearner> trainer(m, "ClassifierTrainer");
    trainer
        .def(nb::init<const ClassifierProgram&, int, std::size_t, float>(), "program"_a, "bits"_a,
             "classes"_a, "longest_step"_a)
        .def("learn", &learn, "values"_a, "offsets"_a, "candidates"_a, "sights"_a, "correct"_a, "order"_a,
             "One pass over the examples in this order; the number of updates.");
    bind_learning(trainer);

    m.def("choose_candidates", &choose_candidates<Kernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a,
          "candidates"_a, "sights"_a, "cancel"_a.none() = nb::none(),
          "Per example: the place of the best candidate in the list of candidates, or -1.");
    m.def("choose_candidates", &choose_candidates<CompactKernel>, "weights"_a, "program"_a, "values"_a,
          "offsets"_a, "candidates"_a, "sights"_a, "cancel"_a.none() = nb::none());
    m.def("score_candidates", &score<Kernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a,
          "candidates"_a, "sights"_a, "cancel"_a.none() = nb::none(), "The score of every candidate.");
    m.def("score_candidates", &score<CompactKernel>, "weights"_a, "program"_a, "values"_a, "offsets"_a,
          "candidates"_a, "sights"_a, "cancel"_a.none() = nb::none());
}
