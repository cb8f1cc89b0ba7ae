// The second view: derivations in the player, a parser's own or those of oracles.

import { ask, beams, fill, readsEnglish, searchOf, writeAddress } from "./api.js";
import { Player } from "./player.js";

export const GOLD = [
  "# text = A hearing is scheduled on the issue today .",
  "1\tA\ta\tDET\t_\t_\t2\tdet\t_\t_",
  "2\thearing\thearing\tNOUN\t_\t_\t3\tnsubj:pass\t_\t_",
  "3\tis\tbe\tAUX\t_\t_\t0\troot\t_\t_",
  "4\tscheduled\tschedule\tVERB\t_\t_\t3\tvg\t_\t_",
  "5\ton\ton\tADP\t_\t_\t2\tnmod\t_\t_",
  "6\tthe\tthe\tDET\t_\t_\t7\tdet\t_\t_",
  "7\tissue\tissue\tNOUN\t_\t_\t5\tpc\t_\t_",
  "8\ttoday\ttoday\tNOUN\t_\t_\t4\tadvmod\t_\t_",
  "9\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
  "", "",
].join("\n");
const SENTENCE = "Who did you send the letter to?";

export class DerivationView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.problem = root.querySelector(".problem");
    this.stage = root.querySelector(".stage");
    const { model, beam, system } = this.form.elements;
    fill(model, about.models.map((each) => [each.name, each.name]));
    fill(beam, beams(about.models[0], { derivation: true }));
    fill(system, about.systems.map((each) => [each.name, each.title]));
    this.fillOracles();
    model.addEventListener("change", () => fill(beam, beams(this.model, { derivation: true }), beam.value));
    system.addEventListener("change", () => this.fillOracles());
    this.form.addEventListener("change", (event) => {
      this.arrange();
      if (event.target.tagName === "SELECT" && this.player) this.form.requestSubmit();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.step = 0;
      writeAddress("derivation", this.state);
      this.load();
    });
    this.step = 0;
  }

  get source() {
    return this.form.elements.source.value;
  }

  get model() {
    return this.about.models.find((each) => each.name === this.form.elements.model.value);
  }

  get state() {
    const form = this.form.elements;
    const step = this.step || "";
    if (!this.source) return {}; // nothing was shown yet, so nothing is chosen
    if (this.source === "parser") {
      const beam = form.beam.value === "0" ? "" : form.beam.value;
      return { source: "parser", text: form.text.value, model: form.model.value, beam, step };
    }
    return {
      source: "oracle",
      conllu: form.conllu.value,
      sentence: form.sentence.value === "1" ? "" : form.sentence.value,
      system: form.system.value,
      first: form.first.value,
      second: form.second.value,
      step,
    };
  }

  fillOracles(first, second) {
    const system = this.about.systems.find((each) => each.name === this.form.elements.system.value);
    const names = system.oracles.map((name) => [name, name]);
    fill(this.form.elements.first, names, first ?? (system.name === "swap" ? "eager" : system.default));
    fill(this.form.elements.second, [["", "none"], ...names], second ?? (system.name === "swap" ? "lazy" : ""));
  }

  arrange() {
    const parser = this.source === "parser";
    this.form.querySelector(".of-parser").hidden = !parser;
    this.form.querySelector(".of-oracle").hidden = parser;
  }

  async show(state) {
    const form = this.form.elements;
    form.text.value = state.text ?? (form.text.value || (readsEnglish(this.model) ? SENTENCE : ""));
    form.source.value = state.source || this.source || (form.text.value ? "parser" : "oracle");
    form.conllu.value = state.conllu ?? (form.conllu.value || GOLD);
    if (state.sentence) form.sentence.value = state.sentence;
    if (this.about.models.some((each) => each.name === state.model)) form.model.value = state.model;
    fill(form.beam, beams(this.model, { derivation: true }), state.beam || form.beam.value);
    if (this.about.systems.some((each) => each.name === state.system)) {
      form.system.value = state.system;
      this.fillOracles(state.first, state.second ?? "");
    }
    this.arrange();
    this.step = Number(state.step || 0);
    await this.load();
  }

  async load() {
    this.problem.textContent = "";
    try {
      const tracks = this.source === "parser" ? await this.parserTracks() : await this.oracleTracks();
      this.player?.close();
      this.player = new Player(this.stage, tracks, {
        step: this.step,
        keys: document,
        onstep: (step) => {
          this.step = step;
          clearTimeout(this.noting);
          // Browsers allow so many changes of the address in a while.
          this.noting = setTimeout(() => writeAddress("derivation", this.state, { replace: true }), 300);
        },
      });
    } catch (error) {
      this.hide();
      this.stage.replaceChildren();
      this.problem.textContent = error.message;
    }
  }

  async parserTracks() {
    const { text, model, beam } = this.state;
    const { sentences } = await ask("api/parse", { text, model });
    if (!sentences.length) throw new Error("There is no sentence in the text.");
    const { tracks } = await ask("api/trace", { conllu: sentences[0].conllu, model, beam: Number(beam || 0) }, { shows: "derivation" });
    const search = beam ? (beam === "1" ? "greedy" : `beam ${beam}`) : searchOf(this.model);
    return tracks.map((track) => ({ ...track, title: `${model}, ${search}` }));
  }

  async oracleTracks() {
    const { conllu, sentence, system, first, second } = this.state;
    const oracles = second ? [first, second] : [first];
    const { tracks } = await ask("api/derivation", { conllu, sentence: Number(sentence || 1), system, oracles }, { shows: "derivation" });
    return tracks.map((track) => ({ ...track, title: track.name.toUpperCase() }));
  }

  hide() {
    clearTimeout(this.noting);
    this.player?.close();
    this.player = null;
  }
}
