// The second view: predicates and their arguments, as segments of the sentence.

import { ask, fill, pictureWidth, readsEnglish, writeAddress } from "./api.js";
import { make, picture } from "./elements.js";
import { treeBox } from "./pictures.js";

const EXAMPLE = "She was persuaded by her friends to sell the house. A hearing is scheduled on the issue today.";

export class MeaningView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.results = root.querySelector(".results");
    this.button = this.form.querySelector("button.main");
    const { text, model } = this.form.elements;
    fill(model, about.models.map((each) => [each.name, each.name]));
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
    const { text, model } = this.form.elements;
    return { text: text.value, model: model.value };
  }

  async show(state) {
    const { text, model } = this.form.elements;
    if (this.about.models.some((each) => each.name === state.model)) model.value = state.model;
    text.value = state.text ?? (text.value || (readsEnglish(this.model) ? EXAMPLE : ""));
    if (text.value) await this.find();
  }

  async submit() {
    writeAddress("meaning", this.state);
    await this.find();
  }

  async find() {
    const { text, model } = this.state;
    const width = pictureWidth(this.results);
    this.button.setAttribute("aria-busy", "true");
    try {
      const { sentences } = await ask("api/parse", { text, model, draw: true, meaning: true, width }, { shows: "meaning" });
      const known = sentences.some((each) => each.frames.length || each.deep || each.graph);
      const cards = sentences.map((each) => new MeaningCard(each).element);
      const hint = known ? [] : [make("p", { class: "hint" }, "No predicates were found. Not every model knows of roles.")];
      this.results.replaceChildren(...hint, ...cards);
    } catch (error) {
      this.results.replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }
}

/** A further picture of the sentence, where there is one. */
function layer(name, svg) {
  return svg && make(
    "figure",
    { class: "layer" },
    make("figcaption", {}, name),
    make("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": name }, picture(svg)),
  );
}

/** One sentence: a row per predicate, and the tree, in which the way between predicate and argument is lit. */
class MeaningCard {
  constructor(sentence) {
    this.sentence = sentence;
    const drawn = sentence.svg && picture(sentence.svg);
    this.nodes = drawn ? [...drawn.querySelectorAll(".word")] : [];
    this.element = make(
      "article",
      { class: "card meaning", "aria-label": sentence.text },
      ...sentence.frames.map((frame) => this.row(frame)),
      sentence.frames.length ? null : make("p", { dir: "auto" }, sentence.text),
      drawn && treeBox(drawn),
      layer("Deep-syntactic tree", sentence.deep),
      layer("Graph of meaning", sentence.graph),
    );
  }

  row(frame) {
    const heads = new Map();
    for (const { word, role, segments } of frame.arguments) {
      for (const [first] of segments) heads.set(`${role} ${first}`, word);
    }
    const pieces = frame.segments.map((each) => this.segment(frame, each, heads.get(`${each.role} ${each.first}`)));
    return make(
      "section",
      { class: "frame", "aria-label": `Predicate ${frame.sense}` },
      make("h3", {}, frame.sense, frame.meaning ? make("small", {}, frame.meaning) : null),
      make("p", { class: "segments", dir: "auto" }, ...pieces.flatMap((piece) => [piece, " "])),
    );
  }

  segment(frame, { first, last, role, meaning, later, ink }, head) {
    const words = this.sentence.words.slice(first - 1, last).map((word) => word.form).join(" ");
    if (!role) return make("span", {}, words);
    const word = head ?? (role === "V" ? frame.predicate : this.headOf(frame, role, first));
    return make(
      "button",
      {
        type: "button",
        class: `segment ${ink}`,
        title: meaning || null,
        "aria-pressed": "false",
        onclick: (event) => this.light(frame.predicate, word, event.currentTarget),
      },
      role === "V" ? null : make("small", { class: "role" }, later ? `…${role}` : role),
      make("span", { class: "words" }, words),
      meaning && !later ? make("small", { class: "gloss" }, meaning) : null,
    );
  }

  /** The head of the argument that a segment belongs to, where others stand within it. */
  headOf(frame, role, first) {
    const found = frame.arguments.find((each) => each.role === role
      && each.segments.some(([begin, end]) => begin <= first && first <= end));
    return found ? found.word : first;
  }

  /** The words on the way between two, over their lowest common ancestor. */
  path(one, other) {
    const up = (word) => {
      const way = [];
      for (let at = word; at && !way.includes(at); at = this.sentence.words[at - 1].head) way.push(at);
      return way;
    };
    const from = up(one);
    const to = up(other);
    const meet = from.find((word) => to.includes(word)) ?? 0;
    const until = (way) => (meet ? way.slice(0, way.indexOf(meet)) : way);
    return { words: [...until(from), ...until(to), ...(meet ? [meet] : [])], moved: [...until(from), ...until(to)] };
  }

  light(predicate, word, button) {
    const again = button.getAttribute("aria-pressed") === "true";
    for (const each of this.element.querySelectorAll(".segment")) each.setAttribute("aria-pressed", "false");
    const { words, moved } = again ? { words: [], moved: [] } : this.path(predicate, word);
    if (!again) button.setAttribute("aria-pressed", "true");
    this.nodes.forEach((node, index) => {
      node.classList.toggle("picked", moved.includes(index + 1));
      node.classList.toggle("lit", words.includes(index + 1));
    });
  }
}
