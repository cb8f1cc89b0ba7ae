"""Referring to things in a scene: which attributes, in which words, as a given speaker would (Bohnet 2008, 2009)."""
