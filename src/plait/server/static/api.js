// Questions to the server, and the state of a view in the address, so that every view has a permalink.

const asked = new EventTarget();

/** Hears of every question whose answer is what a view shows. */
export function onAsked(hear) {
  asked.addEventListener("asked", (event) => hear(event.detail));
}

/** The answer to a question; what is wrong becomes an error with the server's words. `shows`: the view that it is for. */
export async function ask(path, question, { shows } = {}) {
  if (shows) asked.dispatchEvent(new CustomEvent("asked", { detail: { view: shows, path, question } }));
  let response;
  try {
    response = await fetch(path, question && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error || `The server answers with status ${response.status}.`);
  return answer;
}

/** The view that the address names, and its state. */
export function readAddress() {
  const [view, query = ""] = location.hash.slice(1).split("?");
  return { view, state: Object.fromEntries(new URLSearchParams(query)) };
}

/** Puts a state into the address: a new entry of the history, or in place of the present one. */
export function writeAddress(view, state, { replace = false } = {}) {
  const known = Object.entries(state).filter(([, value]) => value !== "" && value != null);
  const query = new URLSearchParams(known).toString();
  const hash = `#${view}${query ? `?${query}` : ""}`;
  if (hash === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", hash);
}

export function link(view, state) {
  return `#${view}?${new URLSearchParams(state)}`;
}

export function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, name]) => new Option(name, value, false, String(value) === String(chosen))));
}

/** How a model looks for trees, by itself. */
export function searchOf(model) {
  if (!model.searches) return "spanning tree";
  return model.beam === 1 ? "greedy" : `beam ${model.beam}`;
}

/** The choices of a beam; a model has one of its own, and a spanning tree needs none. */
export function beams(model, { derivation = false } = {}) {
  const own = model ? ` (${searchOf(model)})` : "";
  if (model && !model.searches && !derivation) return [["0", `the model’s${own}`]];
  return [["0", `the model’s${own}`], ["1", "greedy"], ["2", "2"], ["4", "4"], ["8", "8"], ["16", "16"]];
}

/** Whether examples in English make sense to a model. */
export function readsEnglish(model) {
  return model.title === "English" || /^en(-|$)/.test(model.name);
}

/** How wide a picture may be that stands in an element. On a phone words stay in one row, and scroll. */
export function pictureWidth(element) {
  const room = element.clientWidth;
  return room < 640 ? 0 : Math.round(Math.min(1180, room - 40));
}

export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Saves a text or a Blob as a file. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
