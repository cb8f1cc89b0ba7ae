// Arcs that can be dragged: the end at the head is let go over another word, or over the root.

import { make, shape } from "./elements.js";

const FAR = 5; // pixels from which on a press is a drag

/** The root to drop arcs on, and the arcs; `drop` hears the numbers of dependent and head. Fingers scroll instead. */
export function draggable(tree, svg, nodes, drop) {
  const root = make("div", { class: "drop-root", "aria-hidden": "true" }, "root");
  tree.prepend(root);
  nodes.forEach((node) => node.querySelector("title").after(...[...node.querySelectorAll(":scope > .arc")].map(grip)));
  svg.addEventListener("pointerdown", (event) => {
    const node = event.target.closest?.(".word");
    if (event.button !== 0 || event.pointerType === "touch" || !node) return;
    new Drag(event, { svg, nodes, root, tree, word: nodes.indexOf(node) + 1, drop });
  });
}

/** A broad line below a thin one, for the pointer. */
function grip(arc) {
  return shape("path", { class: "grip", d: arc.getAttribute("d"), fill: "none", "stroke-width": 11 });
}

class Drag {
  constructor(event, about) {
    Object.assign(this, about, { from: event, head: null, line: null });
    this.ending = new AbortController();
    const listen = (name, hear) => addEventListener(name, hear, { signal: this.ending.signal, capture: true });
    listen("pointermove", (move) => this.move(move));
    listen("pointerup", () => this.end(true));
    listen("pointercancel", () => this.end(false));
    listen("keydown", (key) => key.key === "Escape" && this.end(false));
    event.preventDefault(); // nothing is to be marked
  }

  move({ clientX, clientY }) {
    if (!this.line) {
      if (Math.hypot(clientX - this.from.clientX, clientY - this.from.clientY) < FAR) return;
      this.line = shape("path", { class: "dragged", fill: "none" });
      this.svg.append(this.line);
      this.tree.classList.add("dragging");
    }
    this.aim(clientX, clientY);
    const matrix = this.svg.getScreenCTM().inverse();
    const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
    const box = this.form(this.nodes[this.word - 1]).getBoundingClientRect();
    const start = at(box.x + box.width / 2, box.y);
    const end = at(clientX, clientY);
    const top = Math.min(start.y, end.y) - Math.min(60, 16 + Math.abs(end.x - start.x) / 4);
    this.line.setAttribute("d", `M${start.x} ${start.y}C${start.x} ${top} ${end.x} ${top} ${end.x} ${end.y}`);
  }

  /** The word nearest to the pointer, in the row nearest to it; the root where that is what it points at. */
  aim(x, y) {
    const box = this.root.getBoundingClientRect();
    let head = null;
    if (y <= box.bottom) head = 0;
    else {
      let least = Infinity;
      this.nodes.forEach((node, index) => {
        const { left, right, top, bottom } = this.form(node).getBoundingClientRect();
        const across = Math.max(left - x, 0, x - right);
        const down = Math.max(top - y, 0, y - bottom);
        if (across + 4 * down < least) [least, head] = [across + 4 * down, index + 1];
      });
    }
    this.head = head === this.word ? null : head;
    this.root.classList.toggle("aimed", this.head === 0);
    this.nodes.forEach((node, index) => node.classList.toggle("aimed", index + 1 === this.head));
  }

  form(node) {
    return node.querySelector(".form");
  }

  end(wanted) {
    this.ending.abort();
    if (!this.line) return;
    this.line.remove();
    this.tree.classList.remove("dragging");
    this.root.classList.remove("aimed");
    this.nodes.forEach((node) => node.classList.remove("aimed"));
    if (wanted && this.head !== null) this.drop(this.word, this.head);
  }
}
