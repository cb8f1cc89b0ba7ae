"""What a net is like beside its arrays, which tell all sizes."""

from __future__ import annotations

from dataclasses import dataclass

from plait.checks import Name


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderFacts:
    """Of a pretrained encoder: its attention and its norms, and how words are cut into its pieces (see `pieces`)."""

    heads: int
    epsilon: float
    unknown: int
    begin: int
    end: int
    lowercase: bool
    accents: bool
    signs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NetShape:
    """`body` is `sru`, `lstm` or `encoder`, `spelling` is `grams` or `characters`. Tags are read off after layer
    `tag_layer`; with `feed` they are input of the next one.
    """

    body: Name
    spelling: Name
    tag_layer: int
    feed: bool
    attention: bool
    encoder: EncoderFacts | None = None


SMALL = NetShape(body="sru", spelling="grams", tag_layer=2, feed=False, attention=True)
