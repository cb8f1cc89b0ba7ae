// The third view: all correct derivations of a short sentence.

import { ask, download, fill, writeAddress } from "./api.js";
import { make } from "./elements.js";

const SHORT = [
  "# text = That 's what they 're after",
  "1\tThat\tthat\tPRON\t_\t_\t2\tnsubj\t_\t_",
  "2\t's\tbe\tAUX\t_\t_\t0\troot\t_\t_",
  "3\twhat\twhat\tPRON\t_\t_\t6\tpc\t_\t_",
  "4\tthey\tthey\tPRON\t_\t_\t5\tnsubj\t_\t_",
  "5\t're\tbe\tAUX\t_\t_\t2\tacl\t_\t_",
  "6\tafter\tafter\tADP\t_\t_\t5\tprd\t_\t_",
  "", "",
].join("\n");

export class LatticeView {
  constructor(root, about) {
    this.about = about;
    this.form = root.querySelector("form");
    this.problem = root.querySelector(".problem");
    this.stage = root.querySelector(".stage");
    const { system } = this.form.elements;
    fill(system, about.systems.map((each) => [each.name, each.title]));
    this.fillOracles();
    system.addEventListener("change", () => this.fillOracles());
    this.form.addEventListener("change", (event) => {
      if (event.target.tagName === "SELECT") this.form.requestSubmit();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      writeAddress("lattice", this.state);
      this.load();
    });
  }

  get state() {
    const { conllu, sentence, system, oracle } = this.form.elements;
    return {
      conllu: conllu.value,
      sentence: sentence.value === "1" ? "" : sentence.value,
      system: system.value,
      oracle: oracle.value,
    };
  }

  fillOracles(chosen = "") {
    const system = this.about.systems.find((each) => each.name === this.form.elements.system.value);
    fill(this.form.elements.oracle, [["", "all correct"], ...system.oracles.map((name) => [name, name])], chosen);
  }

  async show(state) {
    const { conllu, sentence, system } = this.form.elements;
    conllu.value = state.conllu ?? (conllu.value || SHORT);
    if (state.sentence) sentence.value = state.sentence;
    if (this.about.systems.some((each) => each.name === state.system)) {
      system.value = state.system;
      this.fillOracles(state.oracle);
    }
    await this.load();
  }

  async load() {
    const { conllu, sentence, system, oracle } = this.state;
    this.problem.textContent = "";
    try {
      const { svg, derivations, states } = await ask("api/lattice", { conllu, sentence: Number(sentence || 1), system, oracle }, { shows: "lattice" });
      const said = `${BigInt(derivations).toLocaleString("en")} derivations, ${states.toLocaleString("en")} states`;
      URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      this.stage.replaceChildren(
        make(
          "div",
          { class: "summary" },
          make("span", {}, said),
          make("span", { class: "actions" },
            make("button", { type: "button", onclick: () => download("lattice.svg", "image/svg+xml", svg) }, "Download SVG")),
        ),
        make("div", { class: "lattice", tabindex: 0, role: "region", "aria-label": "Lattice" },
          make("img", { src: this.address, alt: `A lattice: ${said}` })),
      );
    } catch (error) {
      this.stage.replaceChildren();
      this.problem.textContent = error.message;
    }
  }
}
