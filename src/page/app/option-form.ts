// The options of a run as a form, made from the table of options: the same names, values, checks and words as on the command line.
import { OptionError } from "../../base/errors.ts";
import { settingsOf } from "../../options/options.ts";
import { checkValues, flagOf, OPTIONS, type OptionName, type OptionRow, type OptionValues } from "../../options/table.ts";
import { valueOfText } from "../../options/values.ts";
import { element, fold, setAttribute, setText } from "../view/dom.ts";
import { FLAG_MEANINGS, KIND_NAMES, SCHEME_NAMES } from "../view/meanings-table.ts";

const TAKER = "urlmill report";

/** The fields of each group, and their labels. */
const GROUPS: Readonly<Record<string, Partial<Record<OptionName, string>>>> = {
  "Show only URLs": {
    hosts: "Hosts",
    notHosts: "Not these hosts",
    domains: "Domains",
    notDomains: "Not these domains",
    schemes: "Schemes",
    from: "Senders",
    subject: "Subject",
    since: "First day",
    until: "Last day",
    where: "Places",
    flags: "Signs",
    kinds: "Forms",
    match: "URLs like",
    quoted: "Quoted lines alone",
    noQuoted: "No quoted lines",
    noNamespaces: "No vocabularies",
    unwrapped: "Behind redirectors",
  },
  "Look for": {
    bare: "Without a scheme",
    guess: "Wrapped lines",
    nested: "URLs inside URLs",
    refang: "Defanged text",
    links: "Relative links",
    anyScheme: "Any scheme",
    extraSchemes: "More schemes",
  },
  Read: {
    type: "Format",
    mbox: "Kind of mailbox",
    parts: "Body parts",
    charset: "Charset",
  },
  "Write URLs": {
    profile: "Normal form",
    userinfo: "Passwords",
    noUnwrap: "Keep redirectors",
    stripTracking: "No tracking",
    stripFragment: "No fragment",
    stripWww: "No www.",
    sortQuery: "Query in order",
  },
};
const DATES: readonly OptionName[] = ["since", "until"];

const OFFERED: ReadonlyMap<OptionName, ReadonlyMap<string, string>> = new Map([
  ["flags", new Map(Array.from(FLAG_MEANINGS, ([flag, { title }]) => [flag, title]))],
  ["kinds", KIND_NAMES],
  ["schemes", SCHEME_NAMES],
]);

export interface ChosenOptions {
  /** The values that are set in the form, as options of the library. */
  readonly given: Readonly<Partial<Record<OptionName, unknown>>>;
  /** The values of all options, with their defaults; `unwrap` is on unless `noUnwrap` is. */
  readonly values: OptionValues;
}

function fieldOf(name: OptionName, words: string) {
  const row: OptionRow = OPTIONS[name];
  const flag = flagOf(name, row);
  const id = `option-${flag}`;
  const input = inputOf(row, id, DATES.includes(name) ? "date" : "text");
  const error = element("span", { class: "wrong", id: `${id}-wrong`, role: "alert" });
  const help = row.helpOf?.[TAKER] ?? row.help ?? "";
  const text = element("span", { class: "quiet", id: `${id}-help` }, help, " ", element("code", {}, `--${flag}`));
  const label = element("label", { for: id }, words);
  const isSwitch = row.value.spelling === "switch";
  const parts = isSwitch ? [input, label] : [label, input];
  /** Returns the value of the field; undefined: it has none. */
  const given = (): unknown => {
    if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked || undefined;
    const written = input.value.trim();
    if (written === "") return undefined;
    const value = valueOfText(row.value, written);
    return Array.isArray(value) && value.length === 0 ? undefined : value;
  };
  const offered = OFFERED.get(name);
  const listed = (): string[] => [given() ?? []].flat().map(String);
  const boxes = offered === undefined ? [] : [boxesOf(offered, `Choose ${words.toLowerCase()}`, input, listed)];
  const node = element("div", { class: isSwitch ? "option switch" : "option" }, ...parts, text, error, ...boxes);
  /** Shows the error of the value, and moves the focus to the field. An empty text hides the error. */
  const complain = (problem: string): void => {
    setText(error, problem);
    setAttribute(input, "aria-invalid", problem !== "" && "true");
    setAttribute(input, "aria-describedby", `${id}-${problem === "" ? "help" : "wrong"}`);
    if (problem === "") return;
    const details = node.closest("details");
    if (details !== null) details.open = true;
    input.focus();
  };
  return { name, node, given, complain };
}

type Input = HTMLInputElement | HTMLSelectElement;

/** Returns boxes of the offered values. They write the list of the field, and follow its text. */
function boxesOf(offered: ReadonlyMap<string, string>, title: string, input: Input, listed: () => string[]): HTMLElement {
  const boxes = Array.from(offered.keys(), (value) => {
    const box = element("input", { type: "checkbox", value });
    box.addEventListener("change", () => {
      const others = listed().filter((one) => one !== value);
      input.value = (box.checked ? [...others, value] : others).join(",");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return box;
  });
  input.addEventListener("input", () => {
    for (const box of boxes) box.checked = listed().includes(box.value);
  });
  const labels = boxes.map((box) => element("label", {}, box, ` ${offered.get(box.value)} `, element("code", {}, box.value)));
  return fold({ class: "offered" }, title, ...labels);
}

function inputOf({ value }: OptionRow, id: string, type: "date" | "text"): Input {
  const described = { id, "aria-describedby": `${id}-help` };
  if (value.spelling === "switch") return element("input", { type: "checkbox", ...described });
  if (value.spelling === "text" && value.choices !== undefined) {
    const choices = value.choices.map((choice) => element("option", { value: choice }, choice));
    return element("select", described, element("option", { value: "" }, `${String(value.usual)} (usual)`), ...choices);
  }
  const placeholder = value.example ?? value.placeholder;
  return element("input", { type, spellcheck: "false", autocomplete: "off", placeholder, ...described });
}

export class OptionForm {
  readonly node: HTMLElement;
  readonly #fields: ReturnType<typeof fieldOf>[] = [];

  constructor() {
    const groups = Object.entries(GROUPS).map(([title, labels]) => {
      const made = Object.entries(labels).map(([name, words]) => fieldOf(name as OptionName, words));
      this.#fields.push(...made);
      return element("fieldset", {}, element("legend", {}, title), ...made.map(({ node }) => node));
    });
    this.node = element("div", { class: "options" }, ...groups);
  }

  /** Returns the chosen options; undefined if a value is wrong or options exclude each other. The form then shows the error. */
  read(): ChosenOptions | undefined {
    const given = Object.fromEntries(this.#fields.map((field) => [field.name, field.given()]));
    for (const field of this.#fields) field.complain("");
    try {
      const checked = checkValues(TAKER, given);
      const values = { ...checked, unwrap: !checked.noUnwrap };
      // Throws for options that exclude each other.
      settingsOf(values);
      return { given, values };
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      this.#fields.find(({ name }) => name === error.option)?.complain(error.expected);
      return undefined;
    }
  }
}
