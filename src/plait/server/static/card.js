// One sentence: its tree, which can be corrected, its words as a table, and the word that was chosen.

import { counted, link } from "./api.js";
import { opinions } from "./aspects.js";
import { Correction } from "./correction.js";
import { draggable } from "./drag.js";
import { make, picture } from "./elements.js";
import { copyButton, pictureButtons, treeBox } from "./pictures.js";
import { traceOf, WordPanel } from "./word.js";

const COLUMNS = [
  ["id", "#"], ["form", "Word"], ["lemma", "Lemma"], ["upos", "UPOS"], ["xpos", "XPOS"],
  ["feats", "Features"], ["head", "Head"], ["deprel", "Relation"],
];

export class SentenceCard {
  /** `corrects`: whether arcs can be changed; `rest()`: whether the parser then redoes the rest. */
  constructor(sentence, number, { model, beam, corrects, rest, width }) {
    Object.assign(this, { model, beam, corrects, rest, name: `sentence-${number}` });
    this.correction = new Correction(sentence, { model, beam, width, changed: () => this.render() });
    this.picked = make("div", { "aria-live": "polite" });
    this.said = make("p", { class: "hint said-of-it", role: "status" });
    this.element = make("article", { class: "card", "aria-label": sentence.text });
    this.element.addEventListener("keydown", (event) => this.hear(event));
    this.render();
  }

  get sentence() {
    return this.correction.state.sentence;
  }

  /** Whether there are corrections that nobody has saved. */
  get unsaved() {
    const { state } = this.correction;
    return state.given.size > 0 && this.saved !== state.sentence;
  }

  /** The sentence as CoNLL-U, for a file. */
  save() {
    this.saved = this.sentence;
    return this.sentence.conllu;
  }

  render() {
    const { sentence, given, moved } = this.correction.state;
    const focused = this.nodes?.indexOf(document.activeElement) ?? -1;
    const scrolled = this.element.querySelector(".tree")?.scrollLeft ?? 0;
    this.nodes = [];
    this.trace = null;
    this.picked.replaceChildren();
    const tree = sentence.svg ? this.tree(sentence.svg) : make("p", { dir: "auto" }, sentence.text);
    const open = this.element.querySelector("details")?.open ?? false;
    this.element.replaceChildren(
      ...[opinions(sentence.aspects), tree, this.said, this.picked, this.foot(open)].filter(Boolean),
    );
    this.nodes.forEach((node, index) => {
      node.classList.toggle("given", given.has(index + 1));
      node.classList.toggle("moved", moved.has(index + 1));
    });
    tree.scrollLeft = scrolled;
    this.nodes[focused]?.focus();
    const count = moved.size;
    this.said.textContent = count ? `${counted(count, "arc")} changed; ${given.size ? `${given.size} set by you` : "none set by you"}.` : "";
  }

  foot(open) {
    const { text, conllu, svg } = this.sentence;
    const from = { text, model: this.model, ...(this.beam ? { beam: this.beam } : {}) };
    const { past, future } = this.correction;
    const back = (name, list, step) => (past.length || future.length) && make("button", {
      type: "button", disabled: !list.length, onclick: () => this.again(step),
    }, name);
    return make(
      "div",
      { class: "foot" },
      make("details", { open }, make("summary", {}, "Words and tags"), this.table()),
      make(
        "span",
        { class: "actions" },
        ...[back("Undo", past, "undo"), back("Redo", future, "redo")].filter(Boolean),
        make("a", { href: link("derivation", { source: "parser", ...from }) }, "How it was built"),
        make("a", { href: link("lattice", { conllu }) }, "Lattice"),
        copyButton("CoNLL-U", () => this.save()),
        ...pictureButtons(this.name, svg, () => ({ conllu })).filter(Boolean),
      ),
    );
  }

  tree(svg) {
    const drawn = picture(svg);
    this.nodes = [...drawn.querySelectorAll(".word")];
    this.nodes.forEach((node, index) => {
      node.setAttribute("role", "button");
      node.addEventListener("click", (event) => {
        const onLabel = event.target.matches?.(".word > text");
        this.pick(index + 1, this.corrects && onLabel ? "label" : "");
      });
    });
    const element = treeBox(drawn, { class: this.corrects ? "corrects" : "" });
    if (this.corrects) draggable(element, drawn, this.nodes, (word, head) => this.attach(word, head, ""));
    return element;
  }

  table() {
    const { words } = this.sentence;
    const used = COLUMNS.filter(([name]) => words.some((word) => word[name] != null && word[name] !== "_"));
    const cell = (word, name) => make("td", { class: name, dir: name === "form" ? "auto" : null },
      word[name] == null || word[name] === "_" ? "" : String(word[name]));
    return make(
      "div",
      { class: "table", tabindex: 0, "aria-label": "Words and tags" },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...used.map(([, title]) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, ...words.map((word) => make("tr", {}, ...used.map(([name]) => cell(word, name))))),
      ),
    );
  }

  /** Keys on a word: neighbours, its fields, and the way back from anywhere in the card but from where one types. */
  hear(event) {
    const number = this.nodes.indexOf(event.target) + 1;
    const key = event.key.toLowerCase();
    if (key === "z" && (event.ctrlKey || event.metaKey) && event.target.tagName !== "INPUT") {
      event.preventDefault();
      this.again(event.shiftKey ? "redo" : "undo");
    } else if (number && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const does = {
        enter: () => this.pick(number),
        " ": () => this.pick(number),
        arrowleft: () => this.nodes[number - 2]?.focus(),
        arrowright: () => this.nodes[number]?.focus(),
        ...(this.corrects ? { h: () => this.pick(number, "head"), l: () => this.pick(number, "label") } : {}),
      }[key];
      if (!does) return;
      event.preventDefault();
      does();
    } else if (key === "escape" && this.chosen && this.picked.contains(event.target)) {
      this.nodes[this.chosen - 1]?.focus();
    }
  }

  /** Shows a word; `field` is the one to change. */
  pick(number, field = "") {
    this.chosen = number;
    this.nodes.forEach((node, index) => node.classList.toggle("picked", index + 1 === number));
    const set = this.corrects && ((head, label) => this.attach(number, head, label).then(() => this.nodes[number - 1]?.focus()));
    const panel = new WordPanel(this.sentence, number, { set });
    this.picked.replaceChildren(panel.element);
    if (field) panel.focus(field);
    this.trace ??= traceOf(this.sentence.conllu, this.model, this.beam);
    return panel.tell(number, () => this.trace);
  }

  async attach(word, head, label) {
    if (this.element.hasAttribute("aria-busy")) return; // one after the other
    this.element.setAttribute("aria-busy", "true");
    try {
      await this.correction.attach(word, head, label, { rest: this.rest() });
    } catch (error) {
      this.said.textContent = error.message;
    } finally {
      this.element.removeAttribute("aria-busy");
    }
  }

  again(step) {
    const inCard = this.element.contains(document.activeElement);
    this.correction[step]();
    // The button that was pressed is another one now.
    if (inCard && !this.element.contains(document.activeElement)) this.nodes[0]?.focus();
  }
}
