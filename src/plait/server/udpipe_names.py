"""What UDPipe calls its models, `english`, `english-ewt-ud-2.15-241121`, `en_ewt`, so that its clients find ours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

# Languages of Universal Dependencies as UDPipe writes them, with their codes in ISO 639-1, if they have one, and 639-3.
_LANGUAGES = """
afrikaans af afr|albanian sq sqi|amharic am amh|ancient_greek grc|ancient_hebrew hbo|arabic ar ara|armenian hy hye
basque eu eus|belarusian be bel|bengali bn ben|breton br bre|bulgarian bg bul|buryat bxr|cantonese yue|catalan ca cat
chinese zh zho|classical_chinese lzh|coptic cop|croatian hr hrv|czech cs ces|danish da dan|dutch nl nld|english en eng
erzya myv|estonian et est|faroese fo fao|finnish fi fin|french fr fra|galician gl glg|georgian ka kat|german de deu
gothic got|greek el ell|haitian_creole ht hat|hebrew he heb|hindi hi hin|hungarian hu hun|icelandic is isl
indonesian id ind|irish ga gle|italian it ita|japanese ja jpn|kazakh kk kaz|korean ko kor|kurmanji kmr|kyrgyz ky kir
latin la lat|latvian lv lav|ligurian lij|lithuanian lt lit|low_saxon nds|macedonian mk mkd|maghrebi_arabic_french qaf
maltese mt mlt|manx gv glv|marathi mr mar|naija pcm|north_sami sme|norwegian no nor|old_church_slavonic cu chu
old_east_slavic orv|old_french fro|old_irish sga|ottoman_turkish ota|persian fa fas|polish pl pol|pomak qpm
portuguese pt por|romanian ro ron|russian ru rus|sanskrit sa san|scottish_gaelic gd gla|serbian sr srp|slovak sk slk
slovenian sl slv|spanish es spa|swedish sv swe|tamil ta tam|telugu te tel|thai th tha|turkish tr tur|turkish_german qtd
ukrainian uk ukr|upper_sorbian hsb|urdu ur urd|uyghur ug uig|uzbek uz uzb|vietnamese vi vie|welsh cy cym
western_armenian hyw|wolof wo wol
"""
_RELEASE = r"(?:-ud(?:-\d{1,2}\.\d{1,2}(?:-\d{6,8})?)?)?"
_BY_NAME = re.compile(
    rf"(?P<language>[a-z_]{{2,40}})(?:-(?!ud(?:-|$))(?P<treebank>[a-z0-9]{{1,40}}))?{_RELEASE}"
)
_BY_CODE = re.compile(rf"(?P<language>[a-z]{{2,3}})_(?P<treebank>[a-z0-9]{{1,40}}){_RELEASE}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A language by all its names, and a treebank of it, or nothing."""

    language: str
    codes: frozenset[str]
    treebank: str

    def fits(self, name: str, language: str) -> bool:
        """Whether a model of this name and of a language, `English (fast)` say, is of this language."""
        told = language.partition("(")[0].strip().lower().replace(" ", "_")
        if told:
            return told == self.language or told in self.codes
        return re.split(r"[-_]", name.lower())[0] in {*self.codes, self.language}

    def learned_from(self, treebank: str) -> bool:
        """Whether a treebank, `UD English-EWT` say, is the one that is named."""
        return self.treebank in re.split(r"[^a-z0-9]+", treebank.lower())


def read_name(name: str) -> Wanted | None:
    """What a name of UDPipe's asks for; None if it is none."""
    plain = name.lower()
    found = _BY_CODE.fullmatch(plain) or _BY_NAME.fullmatch(plain)
    if found is None or found["language"] not in _languages():
        return None
    language, *codes = _languages()[found["language"]]
    return Wanted(language, frozenset(codes), found["treebank"] or "")


@cache
def _languages() -> dict[str, list[str]]:
    entries = [entry.split() for entry in _LANGUAGES.replace("\n", "|").split("|") if entry]
    return {name: entry for entry in entries for name in entry}
