// One derivation in the player.

import { BeamPicture } from "./beam.js";
import { explain, make, picture, ranking, stillness } from "./elements.js";

const SMALLEST = 1.4; // times as wide as its place may a tree be that is drawn smaller to fit

/** One derivation: its tree, its lanes, its letters, and what the parser thought. */
export class TrackView {
  constructor(track, seek) {
    this.track = track;
    this.length = track.steps.length;
    const tree = picture(track.svg);
    tree.querySelectorAll("[tabindex]").forEach((each) => each.removeAttribute("tabindex"));
    this.words = [...tree.querySelectorAll(".word")];
    this.tree = make("div", { class: "tree scroller", tabindex: 0, "aria-label": "Tree so far" }, tree);
    this.chips = [0, ...track.forms.keys()].map((_, node) => make(
      "span",
      { class: node ? "chip" : "chip root" },
      make("bdi", {}, node ? track.forms[node - 1] : "ROOT"),
      make("sub", {}, String(node)),
    ));
    this.stack = make("div", { class: "lane stack" });
    this.buffer = make("div", { class: "lane buffer" });
    this.letters = track.steps.map((step, number) =>
      make("span", { class: `letter kind-${step.kind}`, title: `${number + 1} ${step.name}`, onclick: () => seek(number + 1) },
        step.kind));
    this.next = make("p", { class: "next" });
    this.alternatives = track.beam ? make("section", { class: "alternatives" }) : null;
    this.beam = track.beam?.length ? new BeamPicture(track) : null;
    const swaps = track.steps.filter((step) => step.kind === "W").length;
    const count = `${this.length} transitions${swaps ? `, ${swaps} of them swaps` : ""}`;
    this.element = make(
      "article",
      { class: "derivation" },
      make("header", {}, make("h3", {}, track.title || track.name), make("span", { class: "count" }, count)),
      this.tree,
      make(
        "div",
        { class: "lanes" },
        make("div", { class: "half" }, make("h4", {}, "Stack"), this.stack),
        make("div", { class: "half" }, make("h4", {}, "Buffer"), this.buffer),
      ),
      this.next,
      make("div", { class: "letters", "aria-hidden": "true" }, ...this.letters),
      this.alternatives || this.beam
        ? make("div", { class: "thoughts" }, this.alternatives, this.beam?.element)
        : null,
    );
  }

  /** Shows the state after so many transitions. */
  show(step, animated) {
    const at = Math.min(step, this.length);
    const { steps, states, forms } = this.track;
    const [stack, buffer] = states[at];
    const before = animated ? this.positions() : null;
    this.stack.replaceChildren(...stack.map((node) => this.chips[node]));
    this.buffer.replaceChildren(...buffer.map((node) => this.chips[node]));
    if (before) this.move(before);
    const attached = new Set(steps.slice(0, at).map((each) => each.arc?.[1]));
    const latest = at ? steps[at - 1].arc?.[1] : undefined;
    const waiting = new Set(buffer);
    const open = new Set(stack);
    this.words.forEach((word, index) => {
      const node = index + 1;
      word.classList.toggle("attached", attached.has(node));
      word.classList.toggle("latest", node === latest);
      word.classList.toggle("waiting", waiting.has(node));
      word.classList.toggle("open", open.has(node));
    });
    this.letters.forEach((letter, number) => {
      letter.classList.toggle("done", number < at);
      letter.classList.toggle("current", number === at - 1);
    });
    this.follow(open.size > 1 ? stack[stack.length - 1] : buffer[0]);
    const next = steps[at];
    if (next) {
      const also = (next.correct || []).filter((name) => !next.name.startsWith(name));
      this.next.replaceChildren(
        make("span", { class: "lead" }, "Next: "),
        make("strong", { class: `kind-${next.kind}` }, next.name),
        make("span", {}, ` – ${explain(next, forms)}`),
        also.length ? make("span", { class: "also" }, ` · also correct: ${also.join(", ")}`) : "",
      );
    } else {
      this.next.replaceChildren(make("span", { class: "lead" }, "The tree is complete."));
    }
    this.alternatives?.replaceChildren(
      make("h4", {}, next ? "What the parser would do" : "Nothing left to decide"),
      next ? ranking(next.alternatives, forms, next.name) : "",
    );
    this.beam?.show(at);
  }

  /** A tree that is a little too wide is drawn smaller; a much wider one is moved under the eyes instead. */
  fit() {
    const svg = this.tree.firstElementChild;
    svg.classList.toggle("fitting", svg.width.baseVal.value < SMALLEST * this.tree.clientWidth);
  }

  /** Keeps the word that is looked at in sight. */
  follow(node) {
    const word = this.words[(node || 1) - 1];
    if (!word || this.tree.scrollWidth <= this.tree.clientWidth) return;
    const [box, frame] = [word.querySelector(":scope > g").getBoundingClientRect(), this.tree.getBoundingClientRect()];
    const middle = box.x + box.width / 2 - frame.x - frame.width / 2;
    this.tree.scrollBy({ left: middle, behavior: stillness() ? "auto" : "smooth" });
  }

  positions() {
    return new Map(this.chips.filter((chip) => chip.isConnected).map((chip) => [chip, chip.getBoundingClientRect()]));
  }

  move(before) {
    for (const [chip, from] of before) {
      if (!chip.isConnected) continue;
      const to = chip.getBoundingClientRect();
      if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 1) continue;
      chip.animate(
        [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }],
        { duration: 260, easing: "ease-out" },
      );
    }
  }
}
