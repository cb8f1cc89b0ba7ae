"""The three CoNLL formats: U (Universal Dependencies), X (the shared task of 2006) and 09 (of 2009)."""

from __future__ import annotations

from plait.formats.tabular import Layout

CONLLU = Layout(
    title="CoNLL-U",
    columns=("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "deps", "misc"),
    names=("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    comments=True,
    ranges=True,
)
CONLLX = Layout(
    title="CoNLL-X",
    columns=("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "phead", "pdeprel"),
    names=("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
)
CONLL09 = Layout(
    title="CoNLL-09",
    columns=(
        *("forms", "lemmas", "plemma", "xpos", "ppos", "feats", "pfeat"),
        *("heads", "phead", "deprels", "pdeprel", "fillpred", "pred"),
    ),
    names=(
        *("ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT"),
        *("HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED"),
    ),
    arguments=True,
    predicted=(
        *(("plemma", "lemmas"), ("ppos", "xpos"), ("pfeat", "feats")),
        *(("phead", "heads"), ("pdeprel", "deprels")),
    ),
)
