// Pictures as files: SVG, PNG, and LaTeX; and what is copied.

import { ask, download } from "./api.js";
import { make } from "./elements.js";

const SCALE = 2; // pixels of a PNG for each of the picture
const MOST = 16_000; // pixels of a side, which browsers can paint

/** Buttons that save a picture: as it is, in pixels, and for LaTeX. `tree` gives what the last is made of. */
export function pictureButtons(name, svg, tree) {
  const button = (title, save) => {
    const element = make("button", {
      type: "button",
      onclick: async () => {
        try {
          await save();
        } catch (error) {
          flash(element, error.message);
        }
      },
    }, title);
    return element;
  };
  return [
    svg && button("SVG", () => download(`${name}.svg`, "image/svg+xml", svg)),
    svg && button("PNG", async () => download(`${name}.png`, "image/png", await pixels(svg))),
    button("TikZ", async () => download(`${name}.tex`, "text/plain", (await ask("api/tikz", tree())).tikz)),
  ];
}

/** What a tree scrolls in: from the right where its words run from the right. */
export function treeBox(drawn, attributes = {}) {
  const mirrored = drawn.querySelector('g[direction="rtl"]') !== null;
  return make("div", { ...attributes, class: `tree scroller ${attributes.class ?? ""}`, dir: mirrored ? "rtl" : null }, drawn);
}

/** A picture in pixels, always in its light colours: it is for paper. */
async function pixels(svg) {
  const plain = svg.replace(/<style>[^<]*<\/style>/g, "");
  const address = URL.createObjectURL(new Blob([plain], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(SCALE, MOST / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = make("canvas", { width: Math.round(scale * image.naturalWidth), height: Math.round(scale * image.naturalHeight) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const found = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!found) throw new Error("Too large to paint");
    return found;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A button that copies what `text` gives. */
export function copyButton(name, text) {
  const button = make("button", {
    type: "button",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text());
        flash(button, "Copied");
      } catch {
        flash(button, "Not permitted here");
      }
    },
  }, name);
  return button;
}

function flash(button, text) {
  button.dataset.name ??= button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = button.dataset.name; }, 1500);
}
