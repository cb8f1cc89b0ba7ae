// The derivation player: stack, buffer and arcs at every step of one or more derivations that step together.
// A track is what plait.drawing.player tells of a derivation.

import { make, shape, stillness } from "./elements.js";
import { TrackView } from "./track.js";

const PAUSE = 900; // milliseconds between steps at normal speed
const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]];
const ICONS = {
  first: "M5 4v12M15 4l-8 6 8 6z",
  back: "M13 4l-8 6 8 6z",
  play: "M6 3l10 7-10 7z",
  pause: "M6 4h3v12H6zM11 4h3v12h-3z",
  forward: "M7 4l8 6-8 6z",
  last: "M15 4v12M5 4l8 6-8 6z",
};

function icon(name) {
  const svg = shape("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  svg.append(shape("path", { d: ICONS[name] }));
  return svg;
}

export class Player {
  /** `keys`: where key strokes are heard; `onstep`: told the step after every change. */
  constructor(root, tracks, { step = 0, keys = root, onstep = () => {} } = {}) {
    this.onstep = onstep;
    this.speed = 1;
    this.timer = 0;
    this.views = tracks.map((track) => new TrackView(track, (number) => this.seek(number)));
    this.length = Math.max(0, ...this.views.map((view) => view.length));
    this.slider = make("input", {
      type: "range", min: 0, max: this.length, step: 1, "aria-label": "Step",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.counter = make("output", { class: "counter" });
    this.playButton = this.button("play", "Play (space)", () => this.toggle());
    const speed = make(
      "select",
      { "aria-label": "Speed", onchange: (event) => { this.speed = Number(event.target.value); this.again(); } },
      ...SPEEDS.map(([value, name]) => make("option", { value, selected: value === 1 }, name)),
    );
    this.controls = make(
      "div",
      { class: "controls", role: "group", "aria-label": "Player" },
      this.button("first", "To the start (Home)", () => this.seek(0)),
      this.button("back", "One step back (←)", () => this.seek(this.step - 1)),
      this.playButton,
      this.button("forward", "One step on (→)", () => this.seek(this.step + 1)),
      this.button("last", "To the end (End)", () => this.seek(this.length)),
      this.slider,
      this.counter,
      speed,
    );
    this.live = make("p", { class: "unseen", "aria-live": "polite" });
    root.classList.add("player");
    root.classList.toggle("several", tracks.length > 1);
    root.replaceChildren(this.controls, make("div", { class: "tracks" }, ...this.views.map((view) => view.element)), this.live);
    this.views.forEach((view) => view.fit());
    this.keys = keys;
    this.hear = (event) => this.onkey(event);
    keys.addEventListener("keydown", this.hear);
    this.step = -1;
    this.seek(step, false);
  }

  button(name, title, act) {
    return make("button", { type: "button", class: "round-button", title, "aria-label": title, onclick: act }, icon(name));
  }

  seek(step, animated = true) {
    const to = Math.max(0, Math.min(this.length, step || 0));
    if (to === this.step) return;
    const near = Math.abs(to - this.step) === 1;
    this.step = to;
    this.views.forEach((view) => view.show(to, animated && near && !stillness()));
    this.slider.value = to;
    this.counter.textContent = `${to} / ${this.length}`;
    const made = this.views.map((view) => view.track.steps[to - 1]?.name || "").filter(Boolean).join("; ");
    this.live.textContent = this.timer ? "" : `Step ${to} of ${this.length}${made ? `: ${made}` : ""}`;
    if (to === this.length) this.stop();
    this.onstep(to);
  }

  toggle() {
    if (this.timer) this.stop();
    else {
      if (this.step === this.length) this.seek(0);
      this.start();
    }
  }

  start() {
    this.timer = setInterval(() => this.seek(this.step + 1), PAUSE / this.speed);
    this.playButton.replaceChildren(icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause (space)");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.replaceChildren(icon("play"));
    this.playButton.setAttribute("aria-label", "Play (space)");
  }

  again() {
    if (!this.timer) return;
    this.stop();
    this.start();
  }

  onkey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (target.closest?.("textarea, select, [role=tab], input:not([type=range])")) return;
    if (key === " " && target.closest?.("button, a, summary")) return;
    const act = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.seek(this.step - 1),
      ArrowRight: () => this.seek(this.step + 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.length),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Lets go of the clock and the keyboard. */
  close() {
    this.stop();
    this.keys.removeEventListener("keydown", this.hear);
  }
}
