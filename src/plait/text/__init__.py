"""From text to words: where tokens and sentences end, and which tokens are several words."""
