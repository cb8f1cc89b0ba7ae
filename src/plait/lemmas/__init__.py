"""Lemmas: edit scripts, and the model that chooses them."""
