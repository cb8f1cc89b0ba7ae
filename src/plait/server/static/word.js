// The word that was chosen: its arc, which can be changed, and what the parser thought of the alternatives.

import { ask } from "./api.js";
import { make, ranking } from "./elements.js";

const RELATIONS = [
  "acl", "acl:relcl", "advcl", "advmod", "amod", "appos", "aux", "aux:pass", "case", "cc", "ccomp", "clf", "compound",
  "compound:prt", "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl", "fixed", "flat", "goeswith",
  "iobj", "list", "mark", "nmod", "nmod:poss", "nsubj", "nsubj:pass", "nummod", "obj", "obl", "obl:agent", "orphan",
  "parataxis", "punct", "reparandum", "root", "vocative", "xcomp",
];

let forms = 0; // for names that are there once

/** What is known of a word; `set`, if it can be changed, hears a head and a label. */
export class WordPanel {
  constructor(sentence, number, { set }) {
    const { words } = sentence;
    const word = words[number - 1];
    const given = (value) => (value === "_" ? null : value);
    const tags = [given(word.upos), given(word.xpos), given(word.lemma) && `lemma ${word.lemma}`, given(word.feats)];
    const head = word.head ? words[word.head - 1].form : "the root";
    this.element = make(
      "section",
      { class: "picked-word" },
      make("h3", {}, make("bdi", {}, word.form), make("small", {}, tags.filter(Boolean).join(" · "))),
      make("p", {}, `${word.deprel} of ${head}`),
      set && this.form(words, word, set),
    );
  }

  form(words, word, set) {
    const list = `relations-${++forms}`;
    const known = [...new Set([...RELATIONS, ...words.map((each) => each.deprel)])].filter((name) => name !== "_").sort();
    const heads = words.filter((each) => each !== word);
    this.head = make(
      "select",
      { name: "head" },
      make("option", { value: 0, selected: word.head === 0 }, "0 root"),
      ...heads.map((each) => make("option", { value: each.id, selected: each.id === word.head }, `${each.id} ${each.form}`)),
    );
    this.label = make("input", {
      name: "label", value: word.deprel === "_" ? "" : word.deprel, list, autocomplete: "off", spellcheck: "false", maxlength: 80,
      pattern: "[^\\s\\|]*", title: "No spaces; empty: the parser chooses",
    });
    // With another head the old label seldom fits: who does not say one lets the parser choose.
    this.head.addEventListener("change", () => { if (this.label.value === word.deprel) this.label.value = ""; });
    return make(
      "form",
      {
        class: "row correct",
        onsubmit: (event) => {
          event.preventDefault();
          set(Number(this.head.value), this.label.value.trim());
        },
      },
      make("label", {}, "Head ", this.head),
      make("label", {}, "Relation ", this.label),
      make("datalist", { id: list }, ...known.map((name) => make("option", { value: name }))),
      make("button", { type: "submit", class: "set" }, "Set, and keep"),
    );
  }

  /** Leads to one of the fields, `head` or `label`. */
  focus(field) {
    this[field]?.focus();
    this[field]?.select?.();
  }

  /** How the parser judged the alternatives when it decided on the word. */
  async tell(number, trace) {
    try {
      const [track] = (await trace()).tracks;
      const at = track.steps.findIndex((step) => step.arc?.[1] === number);
      if (at < 0) return;
      const step = track.steps[at];
      this.element.append(
        make("p", { class: "hint" }, `What the parser thought at step ${at + 1} of ${track.steps.length}, where it decided:`),
        ranking(step.alternatives, track.forms, step.name),
      );
    } catch (error) {
      this.element.append(make("p", { class: "problem" }, error.message));
    }
  }
}

/** How a parser builds the tree of a sentence. */
export const traceOf = (conllu, model, beam) => ask("api/trace", { conllu, model, beam: Number(beam || 0) });
