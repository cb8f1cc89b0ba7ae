// The projective order and the maximal projective components of a tree (Nivre 2009; Nivre, Kuhlmann and Hall
// 2009).
#pragma once

#include "core/tree.hpp"

namespace plait {

// position[w - 1] = the place of word w, counted from 1, in the inorder traversal of the tree that keeps
// every head in its place among its dependents.
void projective_order(const Tree& tree, std::span<Index> position);

// component[w - 1] = the topmost node of the maximal projective component of word w: what the arc-standard
// parser without SWAP, attaching as soon as it can, has built when it is stuck.
void projective_components(const Tree& tree, std::span<Index> component);

}  // namespace plait
