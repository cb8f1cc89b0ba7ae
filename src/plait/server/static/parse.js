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
    const { example, gold } = this.form.elements;
    fill(example, [["", "choose …"], ...about.examples.map((each) => [each.text, `${short(each.text)} (${each.shows})`])]);
    example.addEventListener("change", () => {
      if (!example.value) return;
      text.value = example.value;
      example.value = "";
      this.submit();
    });
    gold.addEventListener("change", async () => {
      const [file] = gold.files;
      if (file) await this.compare(file);
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
    if (this.about.models.some((each) => each.name === state.model)) model.value = state.model;
    fill(beam, beams(this.model), state.beam || beam.value);
    this.arrange();
    text.value = state.text ?? (text.value || (readsEnglish(this.model) ? EXAMPLE : ""));
    if (text.value) await this.parse();
  }

  async submit() {
    writeAddress("parse", this.state);
    await this.parse();
  }

  async parse() {
    const { text, model, beam } = this.state;
    await this.load(async () => {
      const width = pictureWidth(this.results);
      const answer = await ask("api/parse", { text, model, beam: Number(beam || 0), draw: true, width }, { shows: "parse" });
      return this.render(answer, beam);
    });
  }

  async compare(file) {
    const { model, beam } = this.state;
    await this.load(() => compare(file, { model, beam: Number(beam || 0), width: pictureWidth(this.results) }));
  }

  /** Shows what comes of it, or what is wrong. */
  async load(find) {
    this.button.setAttribute("aria-busy", "true");
    try {
      this.results.replaceChildren(...await find());
    } catch (error) {
      this.results.replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }

  render({ sentences, model }, beam) {
    const words = sentences.reduce((sum, each) => sum + each.words.length, 0);
    const corrects = this.model.keeps_heads;
    const about = { model, beam, corrects, rest: () => this.rest, width: () => pictureWidth(this.results) };
    const cards = sentences.map((each, index) => new SentenceCard(each, index + 1, about));
    const conllu = () => cards.map((card) => card.sentence.conllu).join("");
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
        make("button", { type: "button", onclick: () => download("plait.conllu", "text/plain", conllu()) }, "Download CoNLL-U"),
      ),
    );
    return [summary, treeLegend(corrects), ...cards.map((card) => card.element)];
  }
}
