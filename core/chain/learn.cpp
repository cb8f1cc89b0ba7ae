#include <algorithm>

#include "core/cancel.hpp"
#include "core/chain/chain.hpp"
#include "core/chain/descent.hpp"

namespace plait {

double chain_loss(const ChainShape& shape, std::span<const double> weights, const ChainItems& items,
                  std::span<const std::int32_t> gold, std::span<double> gradient) {
    const std::size_t labels = shape.labels, pairs = shape.pairs();
    ChainLattice lattice(shape, weights);
    std::vector<double> row(labels), matrix(pairs);
    const auto cells = gradient.subspan(pairs);
    const auto pair_cells = gradient.subspan(pairs + shape.cells.size());
    double loss = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        check_cancelled();
        lattice.read(items, i);
        const auto right = gold.subspan(items.begin(i), lattice.length());
        loss += lattice.sum() - lattice.score(right);
        for (std::size_t t = 0; t < lattice.length(); ++t) {
            const std::size_t position = items.begin(i) + t;
            lattice.probabilities(t, row);
            row[static_cast<std::size_t>(right[t])] -= 1;
            each_cell(items.begins, items.features, position, shape.begins, shape.cells,
                      [&](std::size_t place, std::size_t label) { cells[place] += row[label]; });
            if (t == 0) continue;
            lattice.pair_probabilities(t, matrix);
            matrix[static_cast<std::size_t>(right[t - 1]) * labels + static_cast<std::size_t>(right[t])] -= 1;
            for (std::size_t k = 0; k < pairs; ++k) gradient[k] += matrix[k];
            each_cell(items.pair_begins, items.pair_features, position, shape.pair_begins, shape.pair_cells,
                      [&](std::size_t place, std::size_t pair) { pair_cells[place] += matrix[pair]; });
        }
    }
    return loss;
}

ChainFit fit_chain(const ChainShape& shape, const ChainItems& items, std::span<const std::int32_t> gold,
                   double l2, int iterations, double tolerance) {
    Descent found = descend(shape.size(), iterations, tolerance,
                            [&](std::span<const double> weights, std::span<double> gradient) {
                                double squares = 0;
                                for (std::size_t i = 0; i < weights.size(); ++i) {
                                    squares += weights[i] * weights[i];
                                    gradient[i] = l2 * weights[i];
                                }
                                return chain_loss(shape, weights, items, gold, gradient) + l2 / 2 * squares;
                            });
    return {std::move(found.point), found.value, found.iterations, found.evaluations};
}

}  // namespace plait
