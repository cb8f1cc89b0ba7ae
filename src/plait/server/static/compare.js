// A file of gold trees beside what the model makes of its words.

import { ask, counted, download } from "./api.js";
import { make, picture } from "./elements.js";
import { comparisonLegend } from "./legend.js";
import { pictureButtons, treeBox } from "./pictures.js";

const MOST_BYTES = 2 << 20;
const MOST_CARDS = 200;

/** What is shown of a comparison: scores, and a card for every sentence, those without errors if one wants them.
 * `correct`, if trees can be corrected, hears the text of the file and its name. */
export async function compare(file, question, correct) {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is larger than 2 MiB: plait evaluate and plait draw --against take files of any size.`);
  const conllu = await file.text();
  const answer = await ask("api/compare", { conllu, ...question, draw: true }, { shows: "parse" });
  const wrong = answer.sentences.filter((each) => each.labels_right < each.words);
  const list = make("div", { class: "results" });
  const show = (some) => {
    const cards = some.slice(0, MOST_CARDS).map((each) => card(each, answer.sentences.indexOf(each) + 1));
    const more = some.length - cards.length;
    list.replaceChildren(...cards, ...(more > 0 ? [make("p", { class: "hint" }, `And ${counted(more, "more sentence")}.`)] : []));
  };
  const only = make("input", { type: "checkbox", checked: wrong.length > 0, onchange: () => show(only.checked ? wrong : answer.sentences) });
  show(only.checked ? wrong : answer.sentences);
  const system = answer.sentences.map((each) => each.conllu).join("");
  return [
    make(
      "div",
      { class: "summary" },
      make("strong", {}, `${answer.model} on ${file.name}`),
      make("span", {}, `${counted(answer.sentences.length, "sentence")}, ${scores(answer)}`),
      make("label", { class: "check" }, only, ` only the ${counted(wrong.length, "sentence")} with errors`),
      make(
        "span",
        { class: "actions" },
        correct && make("button", { type: "button", onclick: () => correct(conllu, file.name) }, "Correct the gold trees"),
        make("button", { type: "button", onclick: () => download("parsed.conllu", "text/plain", system) }, "Download the parse"),
      ),
    ),
    make("p", { class: "hint" }, "Words are those of the file. Punctuation counts, and relations must be wholly right."),
    comparisonLegend(),
    list,
  ];
}

function scores({ words, heads_right: heads, labels_right: labels }) {
  if (!words) return "no gold heads";
  const percent = (count) => (100 * count / words).toFixed(1);
  return `${counted(words, "word")}: UAS ${percent(heads)}, LAS ${percent(labels)}`;
}

function card(sentence, number) {
  const { text, svg, gold, conllu } = sentence;
  return make(
    "article",
    { class: "card compared", "aria-label": text },
    svg ? treeBox(picture(svg), { tabindex: 0, role: "region", "aria-label": "Gold tree and parse" }) : make("p", { dir: "auto" }, text),
    make(
      "div",
      { class: "foot" },
      make("span", { class: "hint" }, `${number}: ${scores(sentence)}`),
      make("span", { class: "actions" }, ...pictureButtons(`comparison-${number}`, svg, () => ({ conllu: gold, against: conllu })).filter(Boolean)),
    ),
  );
}
