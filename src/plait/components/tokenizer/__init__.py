"""From text to words: where tokens and sentences end, and which tokens are several words."""

from plait.components.tokenizer.component import Tokenizer
from plait.components.tokenizer.options import TokenizerOptions
from plait.components.tokenizer.raw import RawText, raw_text
from plait.formats.spaces import restore

__all__ = ["RawText", "Tokenizer", "TokenizerOptions", "raw_text", "restore"]
