"""The tagger: universal and language-specific tags, and morphological features."""
