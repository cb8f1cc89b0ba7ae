// The first view: a text and its trees.

import { ask, beams, download, fill, link, readsEnglish, writeAddress } from "./api.js";
import { opinions } from "./aspects.js";
import { make, picture, ranking } from "./elements.js";

const EXAMPLE = "A hearing is scheduled on the issue today. Who did you send the letter to?";
const COLUMNS = [
  ["id", "#"], ["form", "Word"], ["lemma", "Lemma"], ["upos", "UPOS"], ["xpos", "XPOS"],
  ["feats", "Features"], ["head", "Head"], ["deprel", "Relation"],
];

export class ParseView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.results = root.querySelector(".results");
    this.button = this.form.querySelector("button.main");
    const { text, model, beam } = this.form.elements;
    fill(model, about.models.map((each) => [each.name, each.name]));
    fill(beam, beams(about.models[0]));
    model.addEventListener("change", () => fill(beam, beams(this.model), beam.value));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.submit();
      }
    });
  }

  get model() {
    return this.about.models.find((each) => each.name === this.form.elements.model.value);
  }

  get state() {
    const { text, model, beam } = this.form.elements;
    return { text: text.value, model: model.value, beam: beam.value === "0" ? "" : beam.value };
  }

  async show(state) {
    const { text, model, beam } = this.form.elements;
    if (this.about.models.some((each) => each.name === state.model)) model.value = state.model;
    fill(beam, beams(this.model), state.beam || beam.value);
    text.value = state.text ?? (text.value || (readsEnglish(this.model) ? EXAMPLE : ""));
    if (text.value) await this.parse();
  }

  async submit() {
    writeAddress("parse", this.state);
    await this.parse();
  }

  async parse() {
    const { text, model, beam } = this.state;
    // Beside the rows of a narrow picture stand the names of words in other rows.
    const room = this.results.clientWidth - (this.results.clientWidth < 640 ? 90 : 40);
    const width = Math.round(Math.max(220, Math.min(1180, room)));
    this.button.setAttribute("aria-busy", "true");
    try {
      const answer = await ask("api/parse", { text, model, beam: Number(beam || 0), draw: true, width });
      this.render(answer, beam);
    } catch (error) {
      this.results.replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }

  render({ sentences, model }, beam) {
    const conllu = sentences.map((each) => each.conllu).join("");
    const words = sentences.reduce((sum, each) => sum + each.words.length, 0);
    const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
    const summary = make(
      "div",
      { class: "summary" },
      make("span", {}, `${counted(sentences.length, "sentence")}, ${counted(words, "word")}`),
      make(
        "span",
        { class: "actions" },
        copyButton("Copy CoNLL-U", conllu),
        make("button", { type: "button", onclick: () => download("plait.conllu", "text/plain", conllu) }, "Download CoNLL-U"),
      ),
    );
    const cards = sentences.map((each, index) => new SentenceCard(each, index + 1, model, beam).element);
    this.results.replaceChildren(summary, ...cards);
  }
}

function copyButton(name, text) {
  const button = make("button", {
    type: "button",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not permitted here";
      }
      setTimeout(() => { button.textContent = name; }, 1500);
    },
  }, name);
  return button;
}

/** One sentence: its tree, its words as a table, and the word that was chosen. */
class SentenceCard {
  constructor(sentence, number, model, beam) {
    Object.assign(this, { sentence, model, beam });
    this.picked = make("div", { "aria-live": "polite" });
    const { svg, conllu, text } = sentence;
    const name = `sentence-${number}`;
    const from = { text, model, ...(beam ? { beam } : {}) };
    this.element = make(
      "article",
      { class: "card", "aria-label": text },
      opinions(sentence.aspects),
      svg ? this.tree(svg) : make("p", { dir: "auto" }, text),
      this.picked,
      make(
        "div",
        { class: "foot" },
        make("details", {}, make("summary", {}, "Words and tags"), this.table()),
        make(
          "span",
          { class: "actions" },
          make("a", { href: link("derivation", { source: "parser", ...from }) }, "How it was built"),
          make("a", { href: link("lattice", { conllu }) }, "Lattice"),
          copyButton("CoNLL-U", conllu),
          svg && make("button", { type: "button", onclick: () => download(`${name}.svg`, "image/svg+xml", svg) }, "SVG"),
        ),
      ),
    );
  }

  tree(svg) {
    const drawn = picture(svg);
    this.nodes = [...drawn.querySelectorAll(".word")];
    this.nodes.forEach((node, index) => {
      node.setAttribute("role", "button");
      node.addEventListener("click", () => this.pick(index + 1));
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.pick(index + 1);
      });
    });
    return make("div", { class: "tree scroller" }, drawn);
  }

  table() {
    const used = COLUMNS.filter(([name]) => this.sentence.words.some((word) => word[name] != null && word[name] !== "_"));
    const cell = (word, name) => make("td", { class: name, dir: name === "form" ? "auto" : null },
      word[name] == null || word[name] === "_" ? "" : String(word[name]));
    return make(
      "div",
      { class: "table", tabindex: 0, "aria-label": "Words and tags" },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...used.map(([, title]) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, ...this.sentence.words.map((word) => make("tr", {}, ...used.map(([name]) => cell(word, name))))),
      ),
    );
  }

  /** Shows a word's arc, and how the parser judged the alternatives when it decided on it. */
  async pick(number) {
    this.nodes.forEach((node, index) => node.classList.toggle("picked", index + 1 === number));
    const { words } = this.sentence;
    const word = words[number - 1];
    const given = (value) => (value === "_" ? null : value);
    const head = word.head ? words[word.head - 1].form : "the root";
    const tags = [given(word.upos), given(word.xpos), given(word.lemma) && `lemma ${word.lemma}`, given(word.feats)];
    const panel = make(
      "section",
      { class: "picked-word" },
      make("h3", {}, make("bdi", {}, word.form), make("small", {}, tags.filter(Boolean).join(" · "))),
      make("p", {}, `${word.deprel} of ${head}`),
    );
    this.picked.replaceChildren(panel);
    try {
      this.trace ??= await ask("api/trace", { conllu: this.sentence.conllu, model: this.model, beam: Number(this.beam || 0) });
      const [track] = this.trace.tracks;
      const at = track.steps.findIndex((step) => step.arc?.[1] === number);
      if (at < 0) return;
      const step = track.steps[at];
      panel.append(
        make("p", { class: "hint" }, `What the parser thought at step ${at + 1} of ${track.steps.length}, where it decided:`),
        ranking(step.alternatives, track.forms, step.name),
      );
    } catch (error) {
      panel.append(make("p", { class: "problem" }, error.message));
    }
  }
}
