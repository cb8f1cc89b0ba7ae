// A structure as a picture: boxes that can be picked, edges that can be lit.

import { make, shape } from "./elements.js";

const edgeKey = (source, label, target) => JSON.stringify([source, label, target]);

export class Structure {
  /** `pick` hears the name of a node that someone points at. */
  constructor(root, pick) {
    this.root = root;
    this.pick = pick;
  }

  draw(graph, places, name) {
    this.boxes = new Map();
    this.edges = new Map();
    if (!places) {
      const count = Object.keys(graph.nodes).length;
      this.root.replaceChildren(make("p", { class: "empty" }, count ? `${count} nodes and ${graph.edges.length} edges are too many to draw.` : "Nothing yet."));
      return;
    }
    const svg = shape("svg", { width: places.width, height: places.height, viewBox: `0 0 ${places.width} ${places.height}`, role: "group", "aria-label": name });
    const marker = shape("marker", { id: `tip-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" });
    marker.append(shape("path", { d: "M0 0L8 4L0 8z" }));
    const defs = shape("defs", {});
    defs.append(marker);
    svg.append(defs);
    const labels = [];
    for (const edge of places.edges) {
      const group = shape("g", { class: "edge" }, `${edge.source} -${edge.label}-> ${edge.target}`);
      group.append(shape("path", { d: edge.path, "marker-end": `url(#tip-${name})` }));
      const label = shape("g", { class: "edge" });
      if (edge.at) label.append(words(edge.label, edge.at[0], edge.at[1] + 3, ""));
      labels.push(label);
      this.edges.set(edgeKey(edge.source, edge.label, edge.target), [group, label]);
      svg.append(group);
    }
    for (const [node, box] of Object.entries(places.nodes)) {
      const attributes = Object.entries(graph.nodes[node]).map(([key, value]) => `${key} = ${value}`).join(", ");
      const group = shape("g", { class: "box", tabindex: 0, role: "button", "data-node": node, "aria-label": `${node}: ${attributes}` }, `${node}: ${attributes}`);
      group.append(shape("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }));
      const middle = box.x + box.width / 2;
      group.append(words(box.title, middle, box.y + 16, "title"));
      box.lines.forEach((line, i) => group.append(words(line, middle, box.y + 32 + 14 * i, "more")));
      group.addEventListener("click", () => this.pick(node));
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.pick(node);
      });
      this.boxes.set(node, group);
      svg.append(group);
    }
    svg.append(...labels);
    this.root.replaceChildren(svg);
  }

  /** Takes classes away from everything. */
  clear(...names) {
    for (const box of this.boxes.values()) box.classList.remove(...names);
    for (const pair of this.edges.values()) pair.forEach((part) => part.classList.remove(...names));
  }

  node(name, kind) {
    this.boxes.get(name)?.classList.add(kind);
  }

  edge([source, label, target], kind) {
    this.edges.get(edgeKey(source, label, target))?.forEach((part) => part.classList.add(kind));
  }

  /** Hides what is not among these. */
  only(nodes, edges) {
    const kept = new Set(edges.map((edge) => edgeKey(...edge)));
    for (const [name, box] of this.boxes) box.classList.toggle("later", !nodes.has(name));
    for (const [key, pair] of this.edges) pair.forEach((part) => part.classList.toggle("later", !kept.has(key)));
  }
}

function words(content, x, y, kind) {
  const text = shape("text", { x, y, class: kind });
  text.textContent = content;
  return text;
}
