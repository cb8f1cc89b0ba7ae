// The workbench: rules are edited and applied at once; every firing can be watched, every node asked.

import { ask, download } from "./api.js";
import { Editor } from "./editor.js";
import { make } from "./elements.js";
import { Structure } from "./structure.js";

const PAUSE = 350; // milliseconds after the last key
const OWN = "own";
const FRESH = {
  name: OWN,
  files: [{
    name: "mine.rules",
    text: `# A rule has a left side, a context, conditions, a right side and correspondences.

lexicon Lex {
  red   { cat = adj }
  chair { cat = noun }
}

rule word (Sem -> DSynt) {
  left:           ?X { sem }
  right:          ?D { lex = ?X.sem, cat = Lex::(?X.sem).cat }
  correspondence: ?X <=> ?D
}

rule property (Sem -> DSynt) {
  left:           ?X -1-> ?Y
  conditions:     Lex::(?X.sem).cat = adj
  right:          ?Yd -ATTR-> ?Xd
  correspondence: ?X <=> ?Xd
                  ?Y <=> ?Yd
}
`,
  }],
  graphs: [{ title: "red chair", text: `graph Sem "red chair" {\n  r { sem = red }\n  c { sem = chair }\n  r -1-> c\n}\n` }],
};

const find = (selector) => document.querySelector(selector);
const watch = find(".watch");
const problemLine = find(".watch .problem");

class Workbench {
  constructor(grammars) {
    this.grammars = [...grammars, FRESH];
    this.at = 0; // the file that is shown
    this.mapping = 0;
    this.now = 0; // firings that have happened
    this.steps = [];
    this.rules = new Editor(find("#rules"), { label: "Rules", change: () => this.edited() });
    this.graph = new Editor(find("#graph"), { label: "Source graph", change: () => this.edited() });
    this.source = new Structure(find("#source"), (node) => this.pick("source", node));
    this.target = new Structure(find("#target"), (node) => this.pick("target", node));
    const grammar = find("#grammar");
    grammar.replaceChildren(...this.grammars.map((each) => new Option(each.name === OWN ? "my own" : each.name, each.name)));
    grammar.addEventListener("change", () => this.open(grammar.value, 0));
    find("#example").addEventListener("change", () => this.open(grammar.value, Number(find("#example").value), { keepRules: true }));
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    find(".stepper input").addEventListener("input", (event) => this.show(Number(event.target.value)));
    addEventListener("keydown", (event) => {
      const way = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
      if (!event.altKey || !way) return;
      event.preventDefault();
      this.go(way);
    });
    find("#save").addEventListener("click", () => download(this.files[this.at].name, "text/plain", this.files[this.at].text));
    find("#open").addEventListener("click", () => find("#chosen").click());
    find("#chosen").addEventListener("change", (event) => this.take(event.target));
    addEventListener("hashchange", () => this.read());
    this.read();
  }

  /** The grammar and the example that the address names. */
  read() {
    const [name, number] = location.hash.slice(1).split("/");
    this.open(this.grammars.some((each) => each.name === name) ? name : this.grammars[0].name, (Number(number) || 1) - 1);
  }

  open(name, number, { keepRules = false } = {}) {
    const grammar = this.grammars.find((each) => each.name === name);
    const chosen = Math.min(number, grammar.graphs.length - 1);
    if (!keepRules || !this.files) {
      this.files = grammar.files.map((each) => ({ ...each }));
      this.at = Math.max(0, this.files.findIndex((each) => each.text.includes("\nrule ")));
    }
    find("#grammar").value = name;
    find("#example").replaceChildren(...grammar.graphs.map((each, i) => new Option(each.title || `graph ${i + 1}`, i, false, i === chosen)));
    this.graph.value = grammar.graphs[chosen].text;
    history.replaceState(null, "", `#${name}/${chosen + 1}`);
    this.mapping = 0;
    this.showFile(this.at);
    this.run();
  }

  /** Files from this machine take the place of the rules, and files of graphs that of the graph. */
  async take(input) {
    const found = await Promise.all([...input.files].map(async (file) => ({ name: file.name, text: await file.text() })));
    input.value = "";
    const rules = found.filter((each) => !each.name.endsWith(".graphs")).sort((a, b) => (a.name < b.name ? -1 : 1));
    const graphs = found.filter((each) => each.name.endsWith(".graphs"));
    if (graphs.length) this.graph.value = graphs.map((each) => each.text).join("\n");
    if (rules.length) {
      this.files = rules;
      this.at = 0;
    }
    this.showFile(this.at);
    this.run();
  }

  showFile(number) {
    this.at = number;
    find(".files").replaceChildren(...this.files.map((file, i) => make("button", {
      type: "button",
      role: "tab",
      class: this.problems?.some((each) => each.number === i && each.severity === "error") ? "faulty" : "",
      "aria-selected": String(i === number),
      onclick: () => this.showFile(i),
    }, file.name.replace(/\.rules$/, ""))));
    if (this.rules.value !== this.files[number].text) this.rules.value = this.files[number].text;
    this.markProblems();
  }

  edited() {
    this.files[this.at].text = this.rules.value;
    watch.classList.add("stale");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), PAUSE);
  }

  async run() {
    clearTimeout(this.timer);
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const question = { files: this.files.map((each) => each.text), names: this.files.map((each) => each.name), graph: this.graph.value };
    try {
      const found = await ask("api/rules", question);
      if (turn !== this.turn) return; // an answer to what has been changed since
      problemLine.textContent = "";
      this.problems = found.problems;
      this.showProblems();
      if (!found.steps.length) {
        watch.classList.toggle("stale", this.steps.length > 0);
        return;
      }
      watch.classList.remove("stale");
      this.steps = found.steps;
      find(".said").textContent = found.text;
      this.showMapping(Math.min(this.mapping, this.steps.length - 1));
    } catch (error) {
      if (turn !== this.turn) return;
      problemLine.textContent = error.message;
      watch.classList.add("stale");
    }
  }

  showProblems() {
    find(".problems").replaceChildren(...this.problems.map((each) => make("li", { class: each.severity },
      make("button", { type: "button", onclick: () => this.goTo(each.number, each.line) },
        `${each.file || "rules"}${each.line ? `:${each.line}` : ""}: ${each.message}`))));
    this.showFile(this.at);
  }

  markProblems() {
    const problems = this.problems ?? [];
    this.rules.mark(problems.filter((each) => each.number === this.at));
    this.graph.mark(problems.filter((each) => each.file === "graph" && each.line));
  }

  /** A line of a file; the number -1 is the graph. */
  goTo(number, line, options = { focus: true }) {
    if (number < 0) this.graph.go(line || 1, options);
    else {
      if (number !== this.at) this.showFile(number);
      this.rules.go(line || 1, options);
    }
  }

  goToRule(path, line) {
    this.goTo(Number(path.split(" ")[0]), line, { focus: false });
  }

  get step() {
    return this.steps[this.mapping];
  }

  showMapping(number) {
    this.mapping = number;
    this.picked = null;
    find(".mappings").replaceChildren(...this.steps.map((each, i) => make("button", {
      type: "button",
      role: "tab",
      "aria-selected": String(i === number),
      onclick: () => this.showMapping(i),
    }, each.mapping.replace("->", "→"))));
    const { step } = this;
    const [from, to] = step.mapping.split(" -> ");
    const captions = document.querySelectorAll("figcaption");
    captions[0].textContent = from;
    captions[1].textContent = to;
    this.source.draw(step.source, step.places.source, "source");
    this.target.draw(step.target, step.places.target, "target");
    const widest = Math.max(step.places.source?.width ?? 0, step.places.target?.width ?? 0);
    find(".structures").classList.toggle("wide", widest > watch.clientWidth / 2 - 20); // side by side where there is room
    find(".stepper input").max = step.fired.length;
    find(".fired").replaceChildren(...step.fired.map((firing, i) => make("li", {},
      make("button", { type: "button", class: "link", onclick: () => this.show(i + 1) }, firing.rule), " ",
      make("code", {}, bindings(firing)))));
    find(".failed").replaceChildren(
      ...step.uncovered.map((each) => make("li", { class: "uncovered-list" }, `No rule covers ${each}.`)),
      ...step.notes.map((each) => make("li", { class: "uncovered-list" }, each)),
      ...step.failed.map((each) => make("li", {},
        make("button", { type: "button", class: "link", onclick: () => this.goToRule(each.path, each.at) }, each.rule), " ", each.reason)));
    this.show(step.fired.length, { lead: false });
  }

  go(way) {
    if (!this.step) return;
    const last = this.step.fired.length;
    this.show({ first: 0, back: Math.max(0, this.now - 1), on: Math.min(last, this.now + 1), last }[way]);
  }

  /** The structures after so many firings; the last of them is lit. */
  show(count, { lead = true } = {}) {
    const { step } = this;
    this.now = count;
    const happened = step.fired.slice(0, count);
    const firing = happened.at(-1);
    const whole = count === step.fired.length;
    find(".stepper input").value = count;
    for (const button of document.querySelectorAll("[data-go]")) {
      button.disabled = ["first", "back"].includes(button.dataset.go) ? count === 0 : whole;
    }
    find(".now").replaceChildren(...this.told(firing, count));
    [...find(".fired").children].forEach((item, i) => item.classList.toggle("current", i === count - 1));
    this.source.clear("lit", "read", "used", "uncovered");
    this.target.clear("lit");
    for (const each of happened.slice(0, -1)) {
      each.consumed.nodes.forEach((node) => this.source.node(node, "used"));
      each.consumed.edges.forEach((edge) => this.source.edge(step.source.edges[edge], "used"));
    }
    if (firing) {
      Object.values(firing.bindings).forEach((node) => this.source.node(node, "read"));
      [...firing.consumed.nodes, ...firing.consumed.attributes.map(([node]) => node)].forEach((node) => this.source.node(node, "lit"));
      firing.consumed.edges.forEach((edge) => this.source.edge(step.source.edges[edge], "lit"));
      Object.values(firing.made).forEach((node) => this.target.node(node, "lit"));
      firing.edges.forEach((edge) => this.target.edge(edge, "lit"));
      if (lead) this.goToRule(firing.path, firing.line);
    }
    if (whole) this.target.only(new Set(Object.keys(step.target.nodes)), step.target.edges);
    else this.target.only(new Set(happened.flatMap((each) => Object.values(each.made))), happened.flatMap((each) => each.edges));
    this.showNode();
  }

  told(firing, count) {
    if (!firing) return [`${this.step.fired.length} firings`];
    return [
      `${count} of ${this.step.fired.length}: `,
      make("button", { type: "button", class: "link", onclick: () => this.goToRule(firing.path, firing.line) }, firing.rule),
      " ",
      make("code", {}, bindings(firing)),
    ];
  }

  pick(side, node) {
    this.picked = this.picked?.side === side && this.picked.node === node ? null : { side, node };
    this.showNode();
  }

  /** What a node corresponds to, and which rules touched it. */
  showNode() {
    this.source.clear("picked", "partner");
    this.target.clear("picked", "partner");
    const panel = find(".watch .node");
    if (!this.picked) {
      panel.replaceChildren();
      return;
    }
    const { side, node } = this.picked;
    const { step } = this;
    const here = side === "source" ? 0 : 1;
    this[side].node(node, "picked");
    const partners = step.correspondences.filter((pair) => pair[here] === node);
    for (const pair of partners) this[side === "source" ? "target" : "source"].node(pair[1 - here], "partner");
    const attributes = Object.entries(step[side].nodes[node] ?? {}).map(([key, value]) => `${key} = ${value}`).join(", ");
    const touched = step.fired.map((firing, i) => [firing, i, doings(firing, side, node)]).filter(([, , what]) => what.length);
    panel.replaceChildren(
      make("h3", {}, node, " ", make("code", {}, attributes)),
      make("p", { class: "partners" }, partners.length
        ? `Corresponds to ${partners.map((pair) => pair[1 - here] + (pair[2] ? ` (as ${pair[2]})` : "")).join(", ")}.`
        : "Corresponds to nothing."),
      make("p", {}, touched.length ? "Touched by: " : "No rule touched it.", ...touched.flatMap(([firing, i, what], k) => [
        k ? ", " : "",
        make("button", { type: "button", class: "link", onclick: () => this.show(i + 1) }, firing.rule),
        ` (${what.join(", ")})`,
      ])),
    );
  }
}

function bindings(firing) {
  return Object.entries({ ...firing.bindings, ...firing.labels }).map(([name, value]) => `?${name} = ${value}`).join(", ");
}

/** What a firing did to a node. */
function doings(firing, side, node) {
  const found = [];
  if (side === "target") {
    for (const [variable, name] of Object.entries(firing.made)) {
      if (name !== node) continue;
      const set = Object.entries(firing.set[variable] ?? {}).map(([key, value]) => `${key} = ${value}`);
      found.push(`?${variable}${set.length ? `: ${set.join(", ")}` : ""}`);
    }
    return found;
  }
  if (firing.consumed.nodes.includes(node)) found.push("consumes it");
  for (const [owner, name] of firing.consumed.attributes) if (owner === node && !firing.consumed.nodes.includes(node)) found.push(`consumes ${name}`);
  if (!found.length && firing.read.attributes.some(([owner]) => owner === node)) found.push("reads it");
  if (!found.length && Object.values(firing.bindings).includes(node)) found.push("speaks of it");
  return found;
}

async function start() {
  try {
    new Workbench((await ask("api/grammars")).grammars);
  } catch (error) {
    problemLine.textContent = error.message;
  }
}

start();
