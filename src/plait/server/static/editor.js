// A text with line numbers, colours, and what is wrong at the end of the line where it is wrong.

import { make } from "./elements.js";

const PARTS = /(?<comment>#.*)|(?<text>"(?:[^"\\]|\\.)*")|(?<edge>-(?:\?\w*|[^\s"?{}();,#]+?)->|<=>)|(?<variable>\?\w*)|(?<keyword>\b(?:rule|lexicon|graph|stratum|strata|left|leftside|context|conditions|right|rightside|correspondence|attributes|edges)\b(?=\s*:(?!:)|\s+[\w"]))/g;

export class Editor {
  constructor(root, { label, change }) {
    this.text = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": label });
    this.shade = make("pre", { "aria-hidden": "true" });
    this.problems = [];
    root.append(this.shade, this.text);
    this.text.addEventListener("input", () => {
      this.problems = [];
      this.paint();
      change();
    });
    this.text.addEventListener("scroll", () => this.follow());
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || event.shiftKey || event.altKey || event.ctrlKey) return;
      event.preventDefault(); // Escape leads out of the text
      this.text.setRangeText("  ", this.text.selectionStart, this.text.selectionEnd, "end");
      this.text.dispatchEvent(new Event("input"));
    });
    this.text.addEventListener("keydown", (event) => event.key === "Escape" && this.text.blur());
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.problems = [];
    this.here = 0;
    this.paint();
  }

  /** Shows what is wrong, by line. */
  mark(problems) {
    this.problems = problems;
    this.paint();
  }

  /** Leads to a line; `focus` puts the cursor there. */
  go(line, { focus = false } = {}) {
    this.here = line;
    this.paint();
    const place = this.text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    if (focus) {
      this.text.focus();
      this.text.setSelectionRange(place, place);
    }
    const height = parseFloat(getComputedStyle(this.text).lineHeight);
    this.text.scrollTop = Math.max(0, (line - 4) * height);
    this.text.scrollLeft = 0;
    this.follow();
  }

  follow() {
    this.shade.scrollTop = this.text.scrollTop;
    this.shade.scrollLeft = this.text.scrollLeft;
  }

  paint() {
    const faults = new Map();
    for (const each of this.problems) faults.set(each.line, [...(faults.get(each.line) ?? []), each]);
    const lines = this.text.value.split("\n").map((line, index) => {
      const found = faults.get(index + 1) ?? [];
      const kind = found.some((each) => each.severity === "error") ? "error" : found.length ? "warning" : "";
      const element = make("span", { class: `line ${kind} ${this.here === index + 1 ? "here" : ""}`, "data-number": index + 1 });
      element.append(...coloured(line));
      if (found.length) element.append(make("span", { class: "told" }, found.map((each) => each.message.replace(/^rule [^:]*: /, "")).join(" ")));
      return element;
    });
    this.shade.replaceChildren(...lines);
    this.follow();
  }
}

function* coloured(line) {
  let end = 0;
  for (const match of line.matchAll(PARTS)) {
    if (match.index > end) yield line.slice(end, match.index);
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    yield make("span", { class: kind }, match[0]);
    end = match.index + match[0].length;
  }
  if (end < line.length) yield line.slice(end);
}
