"""Referring to things in a scene: which attributes, and in which words, as a given speaker would (Bohnet 2008, 2009)."""
