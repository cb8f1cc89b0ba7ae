// The first view: a text and its trees, or a file of gold trees and what is made of its words.

import { ask, beams, counted, download, fill, pictureWidth, readsEnglish, writeAddress } from "./api.js";
import { SentenceCard } from "./card.js";
import { compare } from "./compare.js";
import { make } from "./elements.js";
import { treeLegend } from "./legend.js";
import { copyButton } from "./pictures.js";

const EXAMPLE = "A hearing is scheduled on the issue today. Who did you send the letter to?";

const short = (text) => (text.length > 60 ? `${text.slice(0, 40).trimEnd()} …` : text);

export class ParseView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.results = root.querySelector(".results");
    this.button = this.form.querySelector("button.main");
    const { text, model, beam } = this.form.elements;
    fill(model, about.models.map((each) => [each.name, each.name]));
    fill(beam, beams(about.models[0]));
    model.addEventListener("change", () => {
      fill(beam, beams(this.model), beam.value);
      this.arrange();
    });
    this.rest = true; // of a tree is redone when an arc is corrected
    this.cards = [];
    addEventListener("beforeunload", (event) => { if (this.unsaved) event.preventDefault(); });
    const { example, gold } = this.form.elements;
    fill(example, [["", "choose …"], ...about.examples.map((each) => [each.text, `${short(each.text)} (${each.shows})`])]);
    example.addEventListener("change", () => {
      const { value } = example;
      example.value = "";
      if (!value || !this.mayGo()) return;
      this.cards = [];
      text.value = value;
      this.submit();
    });
    gold.addEventListener("change", async () => {
      const [file] = gold.files;
      if (file && this.mayGo()) await this.compare(file);
      gold.value = ""; // so that the same file can be chosen again
    });
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

  /** Examples are English. */
  arrange() {
    this.form.elements.example.closest("label").hidden = !readsEnglish(this.model);
  }

  get state() {
    const { text, model, beam } = this.form.elements;
    return { text: text.value, model: model.value, beam: beam.value === "0" ? "" : beam.value };
  }

  async show(state) {
    const { text, model, beam } = this.form.elements;
    if ((state.text ?? text.value) !== text.value && !this.mayGo()) return;
    if (this.about.models.some((each) => each.name === state.model)) model.value = state.model;
    fill(beam, beams(this.model), state.beam || beam.value);
    this.arrange();
    text.value = state.text ?? (text.value || (readsEnglish(this.model) ? EXAMPLE : ""));
    // Who comes back from another view finds what was there, corrections too.
    if (text.value && this.shown !== JSON.stringify(this.state)) await this.parse();
  }

  async submit() {
    if (!this.mayGo()) return;
    writeAddress("parse", this.state);
    await this.parse();
  }

  /** Whether corrections that nobody has saved may be lost. */
  mayGo() {
    return !this.unsaved || confirm("What you corrected was not saved. Go on without it?");
  }

  get unsaved() {
    return this.cards.some((card) => card.unsaved);
  }

  async parse() {
    const { state } = this;
    await this.load(async () => {
      const question = { text: state.text, model: state.model, beam: Number(state.beam || 0), draw: true, width: pictureWidth(this.results) };
      const { sentences, model } = await ask("api/parse", question, { shows: "parse" });
      this.rest = true;
      return this.render(sentences, { model, beam: state.beam });
    });
  }

  async compare(file) {
    const { model, beam } = this.state;
    const correct = this.model.keeps_heads ? (conllu, name) => this.correct(conllu, name) : null;
    await this.load(() => compare(file, { model, beam: Number(beam || 0), width: pictureWidth(this.results) }, correct));
  }

  /** Trees of a file, to be corrected: what nobody touches stays as it is in the file. */
  async correct(conllu, file) {
    const { model, beam } = this.state;
    await this.load(async () => {
      const { sentences } = await ask("api/tree", { conllu, width: pictureWidth(this.results) }, { shows: "parse" });
      this.rest = false;
      return this.render(sentences, { model, beam, file });
    });
  }

  /** Shows what comes of it, or what is wrong. */
  async load(find) {
    this.button.setAttribute("aria-busy", "true");
    this.cards = [];
    this.shown = "";
    try {
      const asked = JSON.stringify(this.state);
      this.results.replaceChildren(...await find());
      this.shown = asked;
    } catch (error) {
      this.results.replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }

  /** The cards; `file` is the name under which they are saved. */
  render(sentences, { model, beam, file = "plait.conllu" }) {
    const words = sentences.reduce((sum, each) => sum + each.words.length, 0);
    const corrects = this.model.keeps_heads;
    const about = { model, beam, corrects, rest: () => this.rest, width: () => pictureWidth(this.results) };
    const cards = sentences.map((each, index) => new SentenceCard(each, index + 1, about));
    this.cards = cards;
    const conllu = () => cards.map((card) => card.save()).join("");
    const rest = make("input", { type: "checkbox", checked: this.rest, onchange: () => { this.rest = rest.checked; } });
    const summary = make(
      "div",
      { class: "summary" },
      make("span", {}, `${counted(sentences.length, "sentence")}, ${counted(words, "word")}`),
      corrects && make("label", { class: "check" }, rest, " correct an arc, and the parser redoes the rest"),
      make(
        "span",
        { class: "actions" },
        copyButton("Copy CoNLL-U", conllu),
        make("button", { type: "button", onclick: () => download(file, "text/plain", conllu()) }, "Download CoNLL-U"),
      ),
    );
    return [summary, treeLegend(corrects), ...cards.map((card) => card.element)];
  }
}
