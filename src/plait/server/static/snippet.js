// What a view shows, asked by a program: the same question for curl and for Python.

import { download, onAsked } from "./api.js";
import { make } from "./elements.js";
import { copyButton } from "./pictures.js";

const MOST = 3000; // characters of a question that stands in a command; a longer one is a file
const FILE = "question.json";
const JSON_TYPE = "application/json"; // the server reads no other
const OF_THE_PAGE = ["draw", "width"]; // pictures, which programs seldom want

export class Snippet {
  constructor(root) {
    this.root = root;
    this.asked = {};
    onAsked(({ view, path, question }) => {
      this.asked[view] = { path, question };
      if (view === this.view) this.render();
    });
  }

  show(view) {
    this.view = view;
    this.render();
  }

  render() {
    const asked = this.asked[this.view];
    this.root.hidden = !asked;
    if (!asked) return;
    const address = new URL(asked.path, document.baseURI).href;
    const question = Object.fromEntries(
      Object.entries(asked.question).filter(([name, value]) => !OF_THE_PAGE.includes(name) && value !== "" && !(name === "beam" && !value)),
    );
    const whole = JSON.stringify(question);
    const long = whole.length > MOST;
    const block = (name, text) => make("div", { class: "snippet" },
      make("span", { class: "actions" }, make("strong", {}, name), copyButton("Copy", () => text)),
      make("pre", { tabindex: 0, "aria-label": name }, make("code", {}, text)));
    this.root.querySelector("div").replaceChildren(
      ...(long ? [make("p", { class: "actions" }, `The question is long, so it is in a file: `,
        make("button", { type: "button", onclick: () => download(FILE, JSON_TYPE, whole) }, `Download ${FILE}`))] : []),
      block("curl", curl(address, long ? `@${FILE}` : whole)),
      block("Python", python(address, long ? null : question, asked.path)),
    );
  }
}

/** For a shell of Unix, where only a ' ends a text in '. */
export function curl(address, data) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  return `curl -H 'content-type: ${JSON_TYPE}' ${data.startsWith("@") ? "--data-binary" : "-d"} ${quoted(data)} ${quoted(address)}`;
}

const PRINT = {
  "api/parse": 'print("".join(sentence["conllu"] for sentence in answer["sentences"]), end="")',
  "api/complete": 'print("".join(sentence["conllu"] for sentence in answer["sentences"]), end="")',
  "api/compare": 'print(answer["heads_right"], "heads and", answer["labels_right"], "labels right of", answer["words"])',
};

export function python(address, question, path) {
  const sent = question ? `question = ${literal(question)}` : `question = json.load(open("${FILE}", encoding="utf-8"))`;
  return `import json
from urllib.request import Request, urlopen

${sent}
request = Request(${literal(address)}, json.dumps(question).encode(), {"content-type": "${JSON_TYPE}"})
with urlopen(request) as response:
    answer = json.load(response)
${PRINT[path] ?? "print(answer)"}`;
}

/** A value as Python writes it; texts are written as in JSON, which Python reads alike. */
function literal(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${literal(each)}`).join(", ")}}`;
}
