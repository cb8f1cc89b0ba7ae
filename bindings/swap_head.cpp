// The head of a net that scores transitions.
#include "core/neural/swap_head.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/modules.hpp"
#include "bindings/tensors.hpp"
#include "bindings/traces.hpp"
#include "bindings/work.hpp"
#include "core/frontier.hpp"

using namespace nb::literals;

namespace {

using namespace plait;
using namespace plait::neural;

// The arcs of many sentences, for training: what a head sees of them in the states of a frontier.
class ArcViews {
  public:
    // Of every word of a sentence of n words the scores of n + 1 heads.
    ArcViews(const Input<float>& arcs, const Input<std::int64_t>& offsets) {
        if (offsets.size() == 0) throw std::invalid_argument("offsets must run from 0");
        check_offsets(view(offsets), static_cast<std::size_t>(view(offsets).back()));
        std::size_t start = 0;
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const auto words = static_cast<std::size_t>(view(offsets)[s + 1] - view(offsets)[s]);
            if (words > arcs.size() || start + words * (words + 1) > arcs.size()) break;
            views_.emplace_back().read({arcs.data() + start, words + 1, words});
            start += words * (words + 1);
        }
        if (views_.size() + 1 != offsets.size() || start != arcs.size()) {
            throw std::invalid_argument("the arcs are of other sentences");
        }
        offsets_ = copied(offsets);
    }

    OutputRows<float> features(const Frontier& frontier) const {
        if (!std::ranges::equal(offsets_, frontier.offsets())) {
            throw std::invalid_argument("the frontier is of other sentences");
        }
        std::vector<float> found(frontier.rows().size() * ArcView::size);
        {
            const CoreWork work;
            float* features = found.data();
            for (const Frontier::Row& row : frontier.rows()) {
                views_[row.sentence].describe(frontier.state(row), features);
                features += ArcView::size;
            }
        }
        return to_table(std::move(found), ArcView::size);
    }

  private:
    std::vector<ArcView> views_;
    std::vector<std::int64_t> offsets_;
};

TraceArrays trace(const SwapHead& head, const Rows<float>& vectors, const Rows<float>& arcs,
                  const std::optional<Input<std::int32_t>>& tree, std::size_t beam, const Cancel* cancel) {
    const std::size_t words = vectors.shape(0);
    if (words == 0 || vectors.shape(1) != head.width() || arcs.shape(0) != words ||
        arcs.shape(1) != words + 1 || (tree && tree->size() != words)) {
        throw std::invalid_argument("the vectors, the arcs and the tree are not those of a sentence");
    }
    if (beam < 1) throw std::invalid_argument("a beam begins at 1");
    if (tree) require_tree(view(*tree), 0);
    Trace found;
    {
        const CoreWork work(cancel);
        const Reading reading{vectors.data(), vectors.shape(1), {arcs.data(), words + 1, words}};
        found = trace_swaps(head, reading, tree ? std::optional(view(*tree)) : std::nullopt, beam);
    }
    return to_arrays(std::move(found));
}

}  // namespace

void bind_swap_head(nb::module_& m) {
    m.attr("SWAP_FEATURES") = ArcView::size;
    nb::class_<ArcViews>(m, "ArcViews", "What a head sees of the arcs of sentences.")
        .def(nb::init<Input<float>, Input<std::int64_t>>(), "arcs"_a, "offsets"_a)
        .def("features", &ArcViews::features, "frontier"_a, "Of every row.");
    nb::class_<SwapHead>(m, "SwapHead", "Scores of transitions from the vectors of words and from arcs.")
        .def(
            "__init__",
            [](SwapHead* self, const Arrays& tensors, const std::string& kernel) {
                new (self) SwapHead(to_tensors(tensors), kernel_of(kernel));
            },
            "tensors"_a, "kernel"_a = "",
            "From arrays by name; ValueError if they do not fit together, or a number is none.")
        .def_prop_ro("width", &SwapHead::width)
        .def("trace", &trace, "vectors"_a, "arcs"_a, "tree"_a.none(), "beam"_a,
             "cancel"_a.none() = nb::none(),
             "Kinds of a derivation, its alternatives, the rounds of the beam, and parents.");
}
