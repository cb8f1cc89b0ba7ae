// Corrections of a sentence: arcs that somebody has set and that stay, a parser that finds the rest, and the way back.

import { ask } from "./api.js";
import { withArcs } from "./conllu.js";

const MOST = 200; // steps back

export class Correction {
  /** `changed` hears of every new state: { sentence, given, moved }, where `moved` are words with a new head or label. */
  constructor(sentence, { model, beam, width, changed }) {
    Object.assign(this, { model, beam, width, changed });
    this.state = { sentence, given: new Map(), moved: new Set() };
    this.past = [];
    this.future = [];
  }

  /** Makes a word hang from another one, 0 being the root; without a label the parser chooses it. With `rest`, the
   * parser may also change all that nobody has set; else only what cannot stay. */
  async attach(word, head, label, { rest }) {
    const { sentence, given } = this.state;
    const wanted = new Map(given);
    if (head === 0) {
      for (const [other, arc] of given) if (arc.head === 0) wanted.delete(other);
    }
    // Where what was set before would close a circle with it, the new arc wins.
    for (let at = head; wanted.has(at); at = wanted.get(at).head) {
      if (wanted.get(at).head !== word) continue;
      wanted.delete(at);
      break;
    }
    wanted.set(word, { head, label });
    const kept = rest ? wanted : new Map([...remaining(sentence.words, word, head), ...wanted]);
    const conllu = withArcs(sentence.conllu, (number) => {
      const arc = kept.get(number);
      return arc ? [String(arc.head), arc.label || "_"] : ["_", "_"];
    });
    const question = { conllu, model: this.model, beam: Number(this.beam || 0), draw: true, width: this.width() };
    const { sentences } = await ask("api/complete", question, { shows: "parse" });
    this.past = [...this.past.slice(1 - MOST), this.state];
    this.future = [];
    this.become({ sentence: sentences[0], given: wanted, moved: moved(sentence, sentences[0]) });
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return;
    const { sentence } = this.state;
    to.push(this.state);
    const state = from.pop();
    this.become({ ...state, moved: moved(sentence, state.sentence) });
  }

  become(state) {
    this.state = state;
    this.changed(state);
  }
}

/** The other arcs of a tree, less those that the new one drives out: the one that would close a circle, and the root. */
function* remaining(words, word, head) {
  let freed = 0;
  for (let at = head; at && !freed; at = words[at - 1].head ?? 0) {
    if (words[at - 1].head === word) freed = at;
  }
  for (const each of words) {
    if (each.head == null || each.id === word || each.id === freed || (head === 0 && each.head === 0)) continue;
    yield [each.id, { head: each.head, label: each.deprel }];
  }
}

function moved(before, after) {
  const other = after.words.filter((word, index) => {
    const old = before.words[index];
    return old.head !== word.head || old.deprel !== word.deprel;
  });
  return new Set(other.map((word) => word.id));
}
