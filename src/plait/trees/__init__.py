"""What a tree is, how far it is from projective, and how several become one."""

from plait.trees.measures import (
    TreeBatch,
    crossing_pairs,
    edge_degree,
    find_fault,
    gap_degree,
    is_projective,
    is_well_nested,
    nonprojective_arcs,
    projective_components,
    projective_order,
    tree_of,
)

__all__ = [
    "TreeBatch",
    "crossing_pairs",
    "edge_degree",
    "find_fault",
    "gap_degree",
    "is_projective",
    "is_well_nested",
    "nonprojective_arcs",
    "projective_components",
    "projective_order",
    "tree_of",
]
