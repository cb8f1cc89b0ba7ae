"""Sentences to try in the page, with what they show. `en` gets them right, all heads and labels: a test compares."""

from __future__ import annotations

EXAMPLES = {
    "Who did you send the letter to?": "a question, and its preposition at the end",
    "A hearing is scheduled on the issue today.": "what the noun needs comes after the verb",
    "This is the song that we danced to.": "a relative clause with a preposition at its end",
    "What did she say she had lost?": "a question out of a clause within",
    "Someone called this morning who would not give his name.": "a relative clause far from its noun",
    "She has more friends in Paris than I have here.": "a comparison",
    "That film I never want to see again.": "an object at the front",
    "The library that my sister works for sells old maps which nobody wants to buy, and the money that they hope to "
    "raise will pay for a new roof and for the books that the children want to read.": "four arcs that cross, 41 words",
    "He said that the people who live there are friendly.": "no arcs cross",
    "It is too cold to swim.": "no arcs cross",
}
