"""From text to words: where tokens and sentences end, and which tokens are several words."""

from plait.text.assembly import restore
from plait.text.estimator import Epoch, Tokenizer
from plait.text.options import TokenizerOptions
from plait.text.raw import RawText, raw_text

__all__ = ["Epoch", "RawText", "Tokenizer", "TokenizerOptions", "raw_text", "restore"]
