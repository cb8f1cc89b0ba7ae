"""Semantic graphs: completed, converted from trees with predicates, and checked (Wanner, Mille and Bohnet 2012)."""
