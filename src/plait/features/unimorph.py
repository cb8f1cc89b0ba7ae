"""Tags of UniMorph as those of Universal Dependencies (Sylak-Glassman 2016; McCarthy et al. 2018).

Only what both have is translated: a feature that is missing here is not compared with anything.
"""

from __future__ import annotations

import re

from plait.sentence import EMPTY, format_pairs

_UPOS = {
    "V": "VERB", "AUX": "AUX", "N": "NOUN", "PROPN": "PROPN", "ADJ": "ADJ", "ADV": "ADV", "PRO": "PRON",
    "DET": "DET", "ART": "DET", "ADP": "ADP", "NUM": "NUM", "CONJ": "CCONJ", "COMP": "SCONJ", "PART": "PART",
    "INTJ": "INTJ", "CLF": "NOUN",
}  # fmt: skip
_VERBAL = {"V.PTCP": "Part", "V.CVB": "Conv", "V.MSDR": "Vnoun"}
_BY_FEATURE = {
    "Tense": {"PST": "Past", "PRS": "Pres", "FUT": "Fut"},
    "Aspect": {"IPFV": "Imp", "PFV": "Perf", "PROG": "Prog", "HAB": "Hab", "PROSP": "Prosp"},
    "Mood": {"IND": "Ind", "IMP": "Imp", "SBJV": "Sub", "COND": "Cnd", "OPT": "Opt", "POT": "Pot"},
    "VerbForm": {"NFIN": "Inf", "FIN": "Fin", "SUP": "Sup"},
    "Voice": {"ACT": "Act", "PASS": "Pass", "MID": "Mid"},
    "Number": {"SG": "Sing", "PL": "Plur", "DU": "Dual"},
    "Person": {"1": "1", "2": "2", "3": "3", "4": "4", "0": "0"},
    "Gender": {"MASC": "Masc", "FEM": "Fem", "NEUT": "Neut"},
    "Animacy": {"ANIM": "Anim", "INAN": "Inan", "HUM": "Hum", "NHUM": "Nhum"},
    "Case": {
        "NOM": "Nom", "ACC": "Acc", "GEN": "Gen", "DAT": "Dat", "INS": "Ins", "VOC": "Voc", "ABL": "Abl",
        "ESS": "Ess", "PRT": "Par", "TRANS": "Tra", "COM": "Com", "PRIV": "Abe", "ERG": "Erg", "ABS": "Abs",
        "IN+ESS": "Ine", "IN+ALL": "Ill", "IN+ABL": "Ela", "AT+ESS": "Ade", "AT+ALL": "All", "AT+ABL": "Abl",
        "ON+ESS": "Sup", "ON+ALL": "Sub", "ON+ABL": "Del", "TERM": "Ter", "FRML": "Ess",
    },
    "Degree": {"CMPR": "Cmp", "SPRL": "Sup", "RL": "Sup", "EQT": "Equ"},
    "Definite": {"DEF": "Def", "INDF": "Ind"},
    "Polarity": {"POS": "Pos", "NEG": "Neg"},
}  # fmt: skip
_FEATURES = {label: (name, value) for name, values in _BY_FEATURE.items() for label, value in values.items()}
_SEPARATORS = re.compile("[;|]")


def to_ud(tag: str) -> tuple[str, str]:
    """UPOS and FEATS of a tag such as `V;PST`; `_` where nothing corresponds."""
    upos, found = EMPTY, dict[str, str]()
    for label in _SEPARATORS.split(tag):
        if label in _VERBAL:
            upos, found["VerbForm"] = "VERB", _VERBAL[label]
        elif label in _FEATURES:
            name, value = _FEATURES[label]
            found.setdefault(name, value)
        elif upos == EMPTY:
            upos = _UPOS.get(label, EMPTY)
    return upos, format_pairs(dict(sorted(found.items())))
