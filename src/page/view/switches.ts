// The switches of the view: defanged text, and light or dark.
import { element } from "./dom.ts";

const THEMES = [
  ["auto", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** Two switches that change how everything is shown. */
export class Switches {
  readonly node: HTMLElement;

  /** `defang` is called when the switch for defanged text is turned. */
  constructor(defang: (isDefanged: boolean) => void) {
    const box = element("input", { type: "checkbox", role: "switch" });
    box.checked = true;
    box.addEventListener("change", () => defang(box.checked));
    const title = "Shows a.example as a[.]example, so that no program makes a link of it";
    const themes = element("select", {}, ...THEMES.map(([value, name]) => element("option", { value }, name)));
    themes.addEventListener("change", () => {
      document.documentElement.dataset.theme = themes.value;
    });
    this.node = element("div", { class: "switches" }, element("label", { title }, box, " Defang"), element("label", {}, "Colors ", themes));
  }
}
