// What the views are made of: elements, pictures, and transitions in words.

const SVG = "http://www.w3.org/2000/svg";

/** An element; attributes are set as such, and texts can never become mark-up. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A picture as an element of this page; its colours are those of the page's own style sheet. */
export function picture(svg) {
  // The page's policy forbids styles of pictures, even where nobody applies them.
  const plain = svg.replace(/<style>[^<]*<\/style>/g, "");
  return document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
}

/** What a transition does, in words. */
export function explain(transition, forms) {
  const name = (node) => (node === 0 ? "ROOT" : forms[node - 1]);
  if (transition.arc) {
    const [head, dependent] = transition.arc;
    return `${name(dependent)} is ${transition.label || "a dependent"} of ${name(head)}`;
  }
  const known = {
    S: "read the next word",
    W: "put the word below the top back into the buffer",
    D: "this word has all its dependents",
  };
  return known[transition.kind] || "";
}

/** Scored transitions as a list with bars. */
export function ranking(alternatives, forms, chosen) {
  const scores = alternatives.map((each) => each.score);
  const best = Math.max(...scores);
  const spread = Math.max(best - Math.min(...scores), 1e-9) * 1.15;
  const rows = alternatives.map((each) => {
    const bar = make("span", { class: `bar kind-${each.kind}` });
    bar.style.width = `${Math.max(3, 100 * (1 - (best - each.score) / spread))}%`;
    return make(
      "li",
      { class: each.name === chosen ? "chosen" : "" },
      make("span", { class: `name kind-${each.kind}` }, each.name),
      make("span", { class: "meaning" }, explain(each, forms)),
      make("span", { class: "track" }, bar),
      make("span", { class: "score" }, each.score.toFixed(1)),
    );
  });
  return make("ol", { class: "ranking" }, ...rows);
}

/** An element of a picture, with a text that appears where the pointer rests. */
export function shape(tag, attributes, title) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (title) {
    const text = document.createElementNS(SVG, "title");
    text.textContent = title;
    element.append(text);
  }
  return element;
}

/** Whether someone prefers that nothing moves. */
export const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
