// The view of referring: things on a grid, of which one is clicked, and what a speaker would call it.

import { ask, fill, writeAddress } from "./api.js";
import { make, picture } from "./elements.js";

const CELL = 100;
const GRID = 3;
const SHAPES = {
  circle: (r) => `<circle r="${r}"/>`,
  square: (r) => `<rect x="${-r}" y="${-r}" width="${2 * r}" height="${2 * r}"/>`,
  triangle: (r) => `<path d="M0 ${-r}L${r} ${r}L${-r} ${r}Z"/>`,
  star: (r) => `<path d="${star(r)}Z"/>`,
};

function star(radius) {
  return Array.from({ length: 10 }, (_, point) => {
    const far = point % 2 ? radius * 0.42 : radius;
    const angle = (point * Math.PI) / 5 - Math.PI / 2;
    return `${point ? "L" : "M"}${(far * Math.cos(angle)).toFixed(1)} ${(far * Math.sin(angle)).toFixed(1)}`;
  }).join("");
}

export class ReferView {
  constructor(root) {
    this.form = root.querySelector("form");
    this.problem = root.querySelector(".problem");
    this.stage = root.querySelector(".stage");
    this.seed = 1;
    this.target = 0;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.choose({ seed: this.seed + 1, target: 0 });
    });
    this.form.elements.speaker.addEventListener("change", () => this.choose({}));
  }

  get state() {
    return { seed: this.seed, target: this.target, speaker: this.form.elements.speaker.value };
  }

  choose(changed) {
    Object.assign(this, changed);
    writeAddress("refer", this.state);
    return this.load();
  }

  async show(state) {
    this.seed = Math.max(0, Number.parseInt(state.seed, 10) || 1);
    this.target = Math.max(0, Number.parseInt(state.target, 10) || 0);
    await this.load(state.speaker);
  }

  async load(speaker = this.form.elements.speaker.value) {
    this.problem.textContent = "";
    const load = (this.loads = (this.loads ?? 0) + 1);
    try {
      if (this.drawn?.seed !== this.seed) {
        const answer = await ask("api/scene", { seed: this.seed });
        if (load !== this.loads) return;
        this.draw(answer, this.seed);
      }
      const { things, speakers } = this.drawn;
      fill(this.form.elements.speaker, [["", "the most central"], ...speakers.map((each) => [each, each])],
        speakers.includes(speaker) ? speaker : "");
      this.target = Math.min(this.target, things.length - 1);
      const scene = { target: things[this.target], distractors: things.filter((_, place) => place !== this.target) };
      const said = await ask("api/refer", { scene: JSON.stringify(scene), speaker: this.form.elements.speaker.value }, { shows: "refer" });
      if (load === this.loads) this.tell(said);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  draw({ things, speakers }, seed) {
    this.buttons = things.map((thing, place) => {
      const button = make("button", {
        type: "button", class: `thing at-${thing["x-dimension"]}-${thing["y-dimension"]}`,
        "aria-label": describe(thing), onclick: () => this.choose({ target: place }),
      });
      const radius = thing.size === "large" ? 38 : 20;
      const shape = SHAPES[thing.type](radius);
      button.append(picture(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 ${CELL} ${CELL}" aria-hidden="true">` +
        `<g class="shape ${thing.colour}${thing.hasBorder ? " bordered" : ""}">${shape}</g></svg>`));
      return button;
    });
    this.phrase = make("p", { class: "phrase", "aria-live": "polite" });
    this.told = make("p", { class: "chips" });
    this.stage.replaceChildren(
      make("div", { class: "scene", role: "group", "aria-label": `A scene of ${GRID} by ${GRID} places` }, ...this.buttons),
      make("div", { class: "card said" }, this.phrase, this.told),
    );
    this.drawn = { things, speakers, seed };
  }

  tell(said) {
    this.buttons.forEach((button, place) => button.setAttribute("aria-pressed", place === this.target));
    this.phrase.replaceChildren(
      make("span", { class: "hint" }, `${said.speaker}: `), make("q", {}, said.phrase),
    );
    this.told.replaceChildren(...Object.entries(said.attributes).map(([name, value]) =>
      make("span", { class: "chip" }, `${name} ${value}`)));
    if (!said.unique) this.told.append(make("span", { class: "problem" }, "Something else fits too."));
  }
}

/** For those who do not see the picture. */
function describe(thing) {
  const border = thing.hasBorder ? " with a border" : "";
  return `${thing.size} ${thing.colour} ${thing.type}${border}, row ${thing["y-dimension"]}, column ${thing["x-dimension"]}`;
}
