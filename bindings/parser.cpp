// The transition-based parser: its model, and batches of sentences through it.
#include <nanobind/stl/tuple.h>

#include "bindings/modules.hpp"
#include "bindings/sentences.hpp"
#include "bindings/work.hpp"
#include "core/batch.hpp"

using namespace nb::literals;

namespace {

using namespace plait;

using ParsedArrays = std::tuple<Output<Index>, Output<Label>, Output<Index>, Output<float>, Output<double>>;

template <typename Weights>
ParsedArrays parse_by_transitions(const Weights& weights, const ParserModel& model,
                                  Rows<std::uint32_t> values, Input<std::int64_t> offsets, Starts starts,
                                  Classes classes, RowTags row_tags, Priors priors, std::size_t beam,
                                  std::size_t tag_beam, std::size_t feats_beam, std::size_t best, int threads,
                                  std::optional<Input<Index>> given_heads,
                                  std::optional<Input<Label>> given_labels, const Cancel* cancel) {
    check_width(weights, model);
    const Sentences sentences = sentences_of(model, values, offsets, starts, classes, row_tags, priors);
    if (beam < 1 || best < 1 || threads < 1) throw std::invalid_argument("beam, best and threads begin at 1");
    if (given_heads) {
        check_given(view(given_heads), sentences.offsets);
        check_labels(view(given_labels), given_heads->size(), model.repertoire.label_count());
    }
    const ParsingOptions options{{beam, tag_beam, feats_beam}, best, threads};
    const BatchParser<Weights> parser(model, weights, options);
    std::optional<Parses> parses;
    {
        const CoreWork work(cancel);
        parses = parser.parse(sentences, view(given_heads), view(given_labels));
    }
    return ParsedArrays(to_numpy(std::move(parses->heads)), to_numpy(std::move(parses->labels)),
                        to_numpy(std::move(parses->tags)), to_numpy(std::move(parses->margins)),
                        to_numpy(std::move(parses->scores)));
}

}  // namespace

void bind_parser(nb::module_& m) {
    nb::class_<ParserModel>(m, "ParserModel")
        .def(
            "__init__",
            [](ParserModel* self, int system, bool single_root, const Repertoire& repertoire,
               const FeatureProgram& program, const FeatureProgram& tag_program, const PartProgram* parts,
               std::uint32_t completion) {
                new (self) ParserModel(to_system(system), single_root, repertoire, program, tag_program,
                                       parts, to_part_set(completion));
            },
            "system"_a, "single_root"_a, "repertoire"_a, "program"_a, "tag_program"_a, "parts"_a.none(),
            "completion"_a);
    const auto bind_parse = [&m](auto function) {
        m.def("parse_by_transitions", function, "weights"_a, "model"_a, "values"_a, "offsets"_a,
              "starts"_a = nb::none(), "classes"_a = nb::none(), "row_tags"_a = nb::none(),
              "priors"_a = nb::none(), "beam"_a = 1, "tag_beam"_a = 0, "feats_beam"_a = 0, "best"_a = 1,
              "threads"_a = 1, "given_heads"_a = nb::none(), "given_labels"_a = nb::none(),
              "cancel"_a.none() = nb::none(),
              "Heads, labels, ranks of tags and margins of words, and scores of sentences.");
    };
    bind_parse(&parse_by_transitions<Kernel>);
    bind_parse(&parse_by_transitions<CompactKernel>);
}
