// What a sentence of a review is about, and what it thinks of it: terms in colour, categories below.

import { make } from "./elements.js";

const MARKS = { positive: "+", negative: "−", neutral: "=", conflict: "±" };

/** Terms and categories of a sentence; nothing where the model does not look for them. */
export function opinions(aspects) {
  if (!aspects) return null;
  const text = aspects.pieces.map(({ text, polarity }) => (polarity === null ? text : opinion("mark", text, polarity)));
  const names = aspects.categories.map(({ name, polarity }) => make("li", {}, opinion("span", name, polarity)));
  return make(
    "div",
    { class: "opinions" },
    make("p", { dir: "auto" }, ...text),
    names.length ? make("ul", { "aria-label": "Categories" }, ...names) : null,
  );
}

/** The sign says what the colour says, to those who do not see it. */
function opinion(tag, text, polarity) {
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, MARKS[polarity] ?? "?");
  const told = polarity || "no polarity";
  return make(tag, { class: `opinion ${polarity}`, title: told }, text, sign, make("span", { class: "unseen" }, ` (${told})`));
}
