// The page: its views as tabs, and the address that says which one is shown and how.

import { ask, readAddress, writeAddress } from "./api.js";
import { CircleView } from "./circle.js";
import { DerivationView } from "./derivation.js";
import { make } from "./elements.js";
import { LatticeView } from "./lattice.js";
import { MeaningView } from "./meaning.js";
import { ParseView } from "./parse.js";
import { ReferView } from "./refer.js";
import { SayView } from "./say.js";
import { Snippet } from "./snippet.js";

const KINDS = {
  parse: ParseView,
  meaning: MeaningView,
  derivation: DerivationView,
  lattice: LatticeView,
  say: SayView,
  circle: CircleView,
  refer: ReferView,
};
const NAMES = Object.keys(KINDS);
const views = {};
let isReady = false;
let pointedAt = null;
const snippet = new Snippet(document.getElementById("snippet"));
const tab = (name) => document.getElementById(`tab-${name}`);
const panel = (name) => document.getElementById(`view-${name}`);

async function show() {
  const address = readAddress();
  const name = NAMES.includes(address.view) ? address.view : "parse";
  for (const each of NAMES) {
    const shown = each === name;
    tab(each).setAttribute("aria-selected", shown);
    tab(each).tabIndex = shown ? 0 : -1;
    panel(each).hidden = !shown;
    if (!shown) views[each].hide?.();
  }
  snippet.show(name);
  await views[name].show(address.state);
}

/** Whoever chooses before the page knows its models sees the view as soon as it does: the address says which. */
function choose(name) {
  writeAddress(name, views[name]?.state ?? {});
  if (isReady) show();
}

function listen() {
  NAMES.forEach((name, index) => {
    tab(name).addEventListener("click", (event) => {
      choose(name);
      // Who points at a tab wants the view, and its keys; who walks through the tabs by keyboard stays on them.
      if (event.detail > 0) panel((pointedAt = name)).focus();
    });
    tab(name).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = NAMES[(index + step + NAMES.length) % NAMES.length];
      tab(next).focus();
      choose(next);
    });
  });
  addEventListener("popstate", () => isReady && show());
}

async function start() {
  listen();
  try {
    const about = await ask("api/about");
    // A model that only puts trees into words has nothing to show in the other views.
    about.realizers = about.models.filter((model) => model.says);
    const others = about.models.filter((model) => !model.says || model.abilities.length);
    if (others.length) about.models = others;
    for (const name of NAMES) views[name] = new KINDS[name](panel(name), about);
    document.getElementById("about").textContent = `Plait ${about.version}`;
    const thanks = about.models.filter((model) => model.acknowledgements.length);
    document.getElementById("thanks").hidden = !thanks.length;
    document.querySelector("#thanks ul").append(...thanks.map((model) => make("li", {}, make("strong", {}, model.name), ` ${model.acknowledgements.join(" ")}`)));
    isReady = true;
    const shown = show();
    if (pointedAt) panel(pointedAt).focus();
    await shown;
  } catch (error) {
    const problem = document.createElement("p");
    problem.className = "problem";
    problem.textContent = error.message;
    document.getElementById("content").prepend(problem);
  }
}

start();
