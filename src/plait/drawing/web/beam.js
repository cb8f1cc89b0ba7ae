// The beam of a parser: which hypotheses live and which die, round by round.

import { make, shape } from "./elements.js";

// Distances between rounds and between ranks.
const ROUND = 22;
const RANK = 15;
const EDGE = 14;

/** The rounds of a beam: a dot for every hypothesis, a line to the one it goes on from. */
export class BeamPicture {
  constructor(track) {
    this.track = track;
    const { beam, path } = track;
    this.fates = beam.map((group, round) => {
      const parents = new Set((beam[round + 1] || []).map((each) => each[0]));
      return group.map((_, rank) =>
        rank === path[round] ? "won" : round + 1 < beam.length && parents.has(rank) ? "lives" : "dies");
    });
    const width = Math.max(...beam.map((group) => group.length));
    const [across, down] = [2 * EDGE + ROUND * beam.length, 2 * EDGE + RANK * (width - 1)];
    this.svg = shape("svg", { width: across, height: down, viewBox: `0 0 ${across} ${down}`, role: "img" });
    this.svg.setAttribute("aria-label", `Beam of ${width} over ${beam.length} rounds`);
    this.now = shape("rect", { class: "now", y: 0, width: ROUND, height: down, rx: 5 });
    this.svg.append(this.now);
    this.rounds = beam.map((group, round) => {
      const layer = shape("g", { class: "round" });
      const [x, y] = [EDGE + ROUND * (round + 1), EDGE];
      group.forEach(([parent], rank) => {
        const [y1, y2] = [y + RANK * (round ? parent : 0), y + RANK * rank];
        const half = x - ROUND / 2;
        layer.append(shape("path", {
          class: `link ${this.fates[round][rank]}`,
          d: `M${x - ROUND} ${y1}C${half} ${y1} ${half} ${y2} ${x} ${y2}`,
        }));
      });
      group.forEach(([, letter, name, score], rank) => {
        layer.append(shape(
          "circle",
          { class: `dot ${this.fates[round][rank]} kind-${letter}`, cx: x, cy: y + RANK * rank, r: 4.5 },
          `${name}, ${score.toFixed(1)}`,
        ));
      });
      this.svg.append(layer);
      return layer;
    });
    this.scroller = make("div", { class: "scroller", tabindex: 0, "aria-label": "Beam picture" }, this.svg);
    this.caption = make("h4");
    this.list = make("ol", { class: "hypotheses" });
    this.element = make(
      "section",
      { class: "beam" },
      make("h4", {}, "The beam"),
      this.scroller,
      make("p", { class: "legend" }, "Filled: goes on. Hollow: dies. Thick: becomes the tree."),
      this.caption,
      this.list,
    );
  }

  show(step) {
    const round = Math.min(step, this.rounds.length) - 1;
    this.now.setAttribute("x", EDGE + ROUND * (round + 1) - ROUND / 2);
    this.rounds.forEach((layer, number) => layer.classList.toggle("future", number > round));
    this.scroller.scrollLeft = EDGE + ROUND * (round + 1) - this.scroller.clientWidth / 2;
    this.caption.textContent = round < 0 ? "Before the first round" : `After round ${round + 1}`;
    const said = { won: "becomes the tree", lives: "goes on", dies: "dies" };
    this.list.replaceChildren(...(round < 0 ? [] : this.track.beam[round].map(([, letter, name, score], rank) =>
      make(
        "li",
        { class: this.fates[round][rank] },
        make("span", { class: `name kind-${letter}` }, name),
        make("span", { class: "score" }, score.toFixed(1)),
        make("span", { class: "fate" }, said[this.fates[round][rank]]),
      ))));
  }
}
