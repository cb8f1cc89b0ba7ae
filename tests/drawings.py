"""The sentences whose drawings are kept under golden/. To draw them again: python tests/drawings.py"""

from pathlib import Path

from plait import MultiwordToken, Sentence
from plait.drawing import terminal
from plait.drawing.comparison import draw_comparison
from plait.drawing.tree import draw_tree

GOLDEN = Path(__file__).parent / "golden"


def sentence(text: str, heads: list[int | None], labels: str, tags: str, *comments: str) -> Sentence:
    return Sentence(
        forms=text.split(),
        heads=heads,
        deprels=labels.split(),
        upos=tags.split(),
        comments=list(comments),
    )


HEARING = sentence(
    "A hearing is scheduled on the issue today .",
    [2, 3, 0, 3, 2, 7, 5, 4, 3],
    "det nsubj:pass root vg nmod det pc advmod punct",
    "DET NOUN AUX VERB ADP DET NOUN NOUN PUNCT",
    "# sent_id = hearing",
)
WHO = sentence(
    "Who did you send the letter to ?",
    [7, 0, 2, 2, 6, 4, 4, 2],
    "obj root nsubj vg det obj obl punct",
    "PRON AUX PRON VERB DET NOUN ADP PUNCT",
    "# sent_id = who",
)
WHO_BY_A_SYSTEM = sentence(
    "Who did you send the letter to ?",
    [4, 0, 2, 2, 6, 4, 4, 4],
    "obj root nsubj vg det obj case punct",
    "PRON AUX PRON VERB DET NOUN ADP PUNCT",
)
ARABIC = sentence(
    "قرأ الطالب الكتاب الجديد في المكتبة .",
    [0, 1, 1, 3, 6, 1, 1],
    "root nsubj obj amod case obl punct",
    "VERB NOUN NOUN ADJ ADP NOUN PUNCT",
)
CHINESE = sentence(
    "我 昨天 在 图书馆 看 了 一 本 书 。",
    [5, 5, 4, 5, 0, 5, 8, 9, 5, 5],
    "nsubj obl:tmod case obl root aux nummod clf obj punct",
    "PRON NOUN ADP NOUN VERB AUX NUM NOUN NOUN PUNCT",
)
PORTUGUESE = sentence(
    "Ele gosta de o livro de a biblioteca .",
    [2, 0, 5, 5, 2, 8, 8, 5, 2],
    "nsubj root case det obj case det nmod punct",
    "PRON VERB ADP DET NOUN ADP DET NOUN PUNCT",
)
PORTUGUESE.lemmas = ["ele", "gostar", "de", "o", "livro", "de", "o", "biblioteca", "."]
PORTUGUESE.multiword_tokens = [MultiwordToken(3, 4, "do"), MultiwordToken(6, 7, "da")]
HOSTILE = Sentence(
    forms=["<script>alert(1)</script>", "&amp;", "\"'>", "]]>", "\x00\x1b[31m\u2028"],
    lemmas=["<i>", "&", "'", "]]>", "\x07"],
    upos=["<b>", "&", '"', "]]>", "\x07"],
    heads=[2, 0, 2, 3, None],
    deprels=["</svg>", "&lt;", "<a href='x'>", "]]>", '"onload="'],
    comments=['# sent_id = <evil> & "co"'],
    multiword_tokens=[MultiwordToken(3, 4, "</text><image/>")],
)


def drawings() -> dict[str, str]:
    """The drawings by file name."""
    pictures = {
        "hearing": draw_tree(HEARING),
        "hearing-rows": draw_tree(HEARING, width=450),
        "who": draw_tree(WHO),
        "arabic": draw_tree(ARABIC),
        "chinese": draw_tree(CHINESE),
        "portuguese": draw_tree(PORTUGUESE, lemmas=True),
        "hostile": draw_tree(HOSTILE, lemmas=True),
        "comparison": draw_comparison(WHO, WHO_BY_A_SYSTEM),
    }
    texts = {
        "hearing": terminal.draw_tree(HEARING),
        "hearing-colour": terminal.draw_tree(HEARING, colour=True),
        "who": terminal.draw_tree(WHO),
        "who-ascii": terminal.draw_tree(WHO, ascii=True),
        "arabic": terminal.draw_tree(ARABIC),
        "chinese": terminal.draw_tree(CHINESE),
        "portuguese": terminal.draw_tree(PORTUGUESE, lemmas=True),
        "hostile": terminal.draw_tree(HOSTILE, lemmas=True),
        "comparison": terminal.draw_comparison(WHO, WHO_BY_A_SYSTEM),
    }
    return {f"{name}.svg": picture for name, picture in pictures.items()} | {
        f"{name}.txt": f"{text}\n" for name, text in texts.items()
    }


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, drawing in drawings().items():
        (GOLDEN / name).write_text(drawing, encoding="utf-8")
