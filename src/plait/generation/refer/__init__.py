"""Referring to things in a scene: which attributes, in which words, as a given speaker would (Bohnet 2008, 2009)."""

from plait.generation.refer.model import Reference, Referrer
from plait.generation.refer.options import ReferOptions
from plait.generation.refer.scene import Scene
from plait.generation.refer.selector import AttributeSelector
from plait.generation.refer.speech import Speaker, SpeakerModel
from plait.generation.refer.trials import Trial, TunaCorpus

__all__ = [
    "AttributeSelector",
    "ReferOptions",
    "Reference",
    "Referrer",
    "Scene",
    "Speaker",
    "SpeakerModel",
    "Trial",
    "TunaCorpus",
]
