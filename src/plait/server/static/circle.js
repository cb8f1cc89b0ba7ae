// The circle: a text, its tree, its meaning, the tree that was made of the meaning, and the text that this becomes.

import { ask, fill, pictureWidth, readsEnglish, writeAddress } from "./api.js";
import { make, picture } from "./elements.js";

const EXAMPLE = "She was persuaded by her friends to sell the house.";
const LACKING = [
  "No model here goes all the way round: one must find roles, and one make text of graphs.",
  "The latter is learned by: plait train TREEBANK -o MODEL --parts graph2tree,lifter,order,inflector",
].join(" ");

export class CircleView {
  constructor(root, about) {
    this.form = root.querySelector("form");
    this.problem = root.querySelector(".problem");
    this.stage = root.querySelector(".stage");
    this.button = this.form.querySelector("button.main");
    this.parsers = about.models.filter((each) => each.finds_roles);
    this.realizers = about.realizers.filter((each) => each.says_graphs);
    const { text, model, realizer } = this.form.elements;
    fill(model, this.parsers.map((each) => [each.name, each.name]));
    fill(realizer, this.realizers.map((each) => [each.name, each.name]));
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

  get state() {
    const { text, model, realizer } = this.form.elements;
    return { text: text.value, model: model.value, realizer: realizer.value };
  }

  async show(state) {
    const { text, model, realizer } = this.form.elements;
    if (!this.parsers.length || !this.realizers.length) {
      this.problem.textContent = LACKING;
      return;
    }
    if (this.parsers.some((each) => each.name === state.model)) model.value = state.model;
    if (this.realizers.some((each) => each.name === state.realizer)) realizer.value = state.realizer;
    text.value = state.text ?? (text.value || (readsEnglish(this.parsers[0]) ? EXAMPLE : ""));
    if (text.value) await this.load();
  }

  async submit() {
    writeAddress("circle", this.state);
    await this.load();
  }

  async load() {
    const width = pictureWidth(this.stage);
    this.problem.textContent = "";
    this.button.setAttribute("aria-busy", "true");
    try {
      const { there, back } = await ask("api/circle", { ...this.state, width }, { shows: "circle" });
      this.stage.replaceChildren(stations(there, back));
    } catch (error) {
      this.stage.replaceChildren();
      this.problem.textContent = error.message;
    } finally {
      this.button.removeAttribute("aria-busy");
    }
  }
}

function stations(there, back) {
  const same = there.text.toLowerCase() === back.text.toLowerCase();
  const words = same ? ["As it was."] : ["Words that were not there before, or elsewhere: ", ...compared(there, back).flatMap((piece) => [piece, " "])];
  return make(
    "ol",
    { class: "stations" },
    station("Text", make("p", { class: "said", dir: "auto" }, there.text)),
    station("Tree", drawn(there.svg)),
    station("Meaning", drawn(there.graph)),
    station("Tree of that meaning", drawn(back.svg)),
    station("Text again", make("p", { class: "said", dir: "auto" }, back.text), make("p", { class: "hint compared" }, ...words)),
  );
}

function station(name, ...content) {
  return make("li", { class: "card", "aria-label": name }, make("h3", {}, name), ...content);
}

function drawn(svg) {
  if (!svg) return make("p", { class: "hint" }, "It is too large to be drawn.");
  return make("div", { class: "scroller", tabindex: 0 }, picture(svg));
}

/** The words that came back, those marked that are not in the longest row of words that both have. */
function compared(there, back) {
  const old = there.words.map((word) => word.form.toLowerCase());
  const now = back.words.map((word) => word.form.toLowerCase());
  const common = old.map(() => new Array(now.length + 1).fill(0)).concat([new Array(now.length + 1).fill(0)]);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const pieces = [];
  let i = 0;
  back.words.forEach((word, j) => {
    while (i < old.length && old[i] !== now[j] && common[i + 1][j] > common[i][j + 1]) i += 1;
    const kept = i < old.length && old[i] === now[j];
    if (kept) i += 1;
    pieces.push(kept ? word.form : make("mark", {}, word.form));
  });
  return pieces;
}
