// The view of the way back: a sentence is parsed, its words are shuffled, and domains put into order one by one.

import { ask, fill, readsEnglish, writeAddress } from "./api.js";
import { make } from "./elements.js";

const EXAMPLE = "Who did you send the letter to?";
const PAUSE = 700; // milliseconds between two domains

export class SayView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.problem = root.querySelector(".problem");
    this.stage = root.querySelector(".stage");
    const { model, realizer } = this.form.elements;
    fill(model, about.models.map((each) => [each.name, each.name]));
    fill(realizer, about.realizers.map((each) => [each.name, each.name]));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      writeAddress("say", this.state);
      this.load();
    });
  }

  get state() {
    const { text, model, realizer } = this.form.elements;
    return { text: text.value, model: model.value, realizer: realizer.value };
  }

  async show(state) {
    const { text, model, realizer } = this.form.elements;
    if (this.about.models.some((each) => each.name === state.model)) model.value = state.model;
    if (this.about.realizers.some((each) => each.name === state.realizer)) realizer.value = state.realizer;
    const english = this.about.models.length && readsEnglish(this.about.models[0]);
    text.value = state.text ?? (text.value || (english ? EXAMPLE : ""));
    if (!this.about.realizers.length) {
      this.problem.textContent =
        "No model here puts trees into words. One is learned by: plait train TREEBANK -o MODEL --parts lifter,order,inflector";
      return;
    }
    if (text.value) await this.load();
  }

  hide() {
    clearTimeout(this.timer);
  }

  /** Parses the text once; a new seed shuffles the same tree anew. */
  async load(seed = 1) {
    const { text, model, realizer } = this.state;
    this.hide();
    this.problem.textContent = "";
    try {
      if (this.parsed?.key !== `${model} ${text}`) {
        const { sentences } = await ask("api/parse", { text, model });
        if (!sentences.length) throw new Error("There is no sentence in the text.");
        this.parsed = { key: `${model} ${text}`, conllu: sentences[0].conllu };
      }
      const said = await ask("api/say", { conllu: this.parsed.conllu, model: realizer, seed }, { shows: "say" });
      this.play(said, seed);
    } catch (error) {
      this.stage.replaceChildren();
      this.problem.textContent = error.message;
    }
  }

  play(said, seed) {
    const chips = (words, head) =>
      words.map((word) => make("span", { class: `chip${word === head ? " head" : ""}` }, said.shuffled[word]));
    const domains = make("ol", { class: "domains", "aria-label": "Domains in order" });
    const best = make("ol", { class: "sentences", "aria-label": "The best sentences" });
    this.stage.replaceChildren(
      make("h3", {}, "Shuffled"),
      make("p", { class: "chips shuffled" }, ...chips(said.shuffled.map((_, word) => word))),
      make("p", { class: "actions" },
        make("button", { type: "button", onclick: () => this.load(seed + 1) }, "Shuffle again"),
        make("button", { type: "button", onclick: () => this.finish?.() }, "To the end")),
      make("h3", {}, "Domains, from the top of the tree down"),
      domains,
      make("h3", {}, "The best sentences"),
      best,
    );
    let next = 0;
    const step = () => {
      const words = said.domains[next];
      next += 1;
      domains.append(make("li", { class: "chips" }, ...chips(words, this.headOf(said, next - 1))));
    };
    const end = () => best.append(...said.best.map((each) =>
      make("li", { dir: "auto" }, each.text, " ", make("span", { class: "hint" }, String(each.score)))));
    this.finish = () => {
      this.hide();
      while (next < said.domains.length) step();
      if (!best.children.length) end();
    };
    const walk = () => {
      if (next >= said.domains.length) return this.finish();
      step();
      this.timer = setTimeout(walk, PAUSE);
      return undefined;
    };
    walk();
  }

  /** The word of a domain that was in one above already; the first one has a head only if it has one root. */
  headOf(said, number) {
    const above = new Set(said.domains.slice(0, number).flat());
    return said.domains[number].find((word) => above.has(word));
  }
}
