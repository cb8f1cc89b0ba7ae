// What the colours and lines of a picture mean.

import { make, shape } from "./elements.js";

const TAGS = [
  ["tag-noun", "NOUN PROPN"], ["tag-verb", "VERB AUX"], ["tag-modifier", "ADJ ADV"],
  ["tag-pronoun", "PRON DET NUM"], ["tag-function", "ADP CCONJ SCONJ PART"], ["tag", "others"],
];
const INKS = { plain: [1.3, ""], crossing: [1.7, "6 3"], quiet: [1, ""], missed: [2, ""], wrong: [2, "6 3"], relabelled: [1.7, "1.5 3"] };

function sample(ink) {
  const svg = shape("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" });
  const [width, dash] = INKS[ink];
  svg.append(shape("path", { class: `arc ${ink}`, d: "M1 6H29", "stroke-width": width, "stroke-dasharray": dash || "none" }));
  return svg;
}

const entry = (...parts) => make("li", {}, ...parts);

/** Of trees; `corrects`: whether arcs can be dragged. */
export function treeLegend(corrects) {
  const tags = TAGS.map(([name, text]) => {
    const svg = shape("svg", { width: 10, height: 10, viewBox: "0 0 10 10", "aria-hidden": "true" });
    svg.append(shape("circle", { class: `ink ${name}`, cx: 5, cy: 5, r: 5 }));
    return make("span", { class: "tag-colour" }, svg, text);
  });
  return legend(
    entry(sample("plain"), "an arc from a head to its dependent, where the arrow is"),
    entry(sample("crossing"), "dashed, in orange: a non-projective arc. Some word below it does not descend from its head, so lines cross. In the terminal a * stands beside its label."),
    entry(make("span", { class: "sample-given" }, "word"), "its arc was set by you: it stays whatever the parser does"),
    entry(make("span", { class: "sample-moved" }, "word"), "its arc has just changed"),
    entry(make("span", { class: "tags" }, ...tags)),
    corrects && entry(make("span", {}, "Drag an arc, or a word, onto its head, or up to the root; click a label to change it. On a touch screen, touch the word. With the keyboard: ",
      make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " words, ", make("kbd", {}, "Enter"), " what the parser thought, ",
      make("kbd", {}, "H"), " head, ", make("kbd", {}, "L"), " relation, ", make("kbd", {}, "Ctrl+Z"), " undo.")),
  );
}

/** Of comparisons. */
export function comparisonLegend() {
  return legend(
    entry(sample("quiet"), "the same in both: gold above the words, the model below"),
    entry(sample("missed"), "in the gold tree only"),
    entry(sample("wrong"), "the model’s only"),
    entry(sample("relabelled"), "the same head with another relation"),
  );
}

function legend(...entries) {
  return make("details", { class: "legend" }, make("summary", {}, "What lines and colours mean"), make("ul", {}, ...entries));
}
