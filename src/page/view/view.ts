// The view that shows a summary: of the report, and of the application.
import type { Summary } from "../../summary/summary.ts";
import { type Span, spanBetween, sumsIn } from "./cells.ts";
import { button, element, setText } from "./dom.ts";
import { NameList } from "./name-list.ts";
import { DangerList, Figures, NotRead, OVERVIEW_ROWS } from "./overview.ts";
import { type Section, sectionsOf } from "./sections.ts";
import type { Part, State } from "./state.ts";
import { TimeLine } from "./time-line.ts";
import { monthName, number } from "./words.ts";

/** A view of a summary. */
export interface View {
  /** Shows another summary, of a running scan for example. The user's settings stay. */
  update(summary: Summary): void;
}

/** Replaces the content of `root` by a view of a summary. */
export function showSummary(root: HTMLElement, summary: Summary): View {
  let state: State = { summary, span: null, isDefanged: true, rankings: new Map() };
  const change = (changes: Partial<State>): void => {
    state = { ...state, ...changes };
    if (changes.summary !== undefined || changes.span !== undefined) state = { ...state, rankings: new Map() };
    for (const part of parts) part.show(state);
  };
  const timeLine = new TimeLine((span) => {
    if (!isSame(span, state.span)) change({ span });
  });
  const overview = [
    new NameList({ name: "host", caption: "Hosts linked most", head: "Host", rows: OVERVIEW_ROWS, isOfHosts: true }),
    new NameList({ name: "from_address", caption: "Linked most by", head: "Sender", rows: OVERVIEW_ROWS }),
    new DangerList(),
  ];
  const sections = sectionsOf();
  const figures = new Figures();
  const notRead = new NotRead();
  const notice = new SpanNotice(() => change({ span: null }));
  const switches = new Switches((isDefanged) => change({ isDefanged }));
  const parts: Part[] = [figures, notRead, timeLine, ...overview, ...sections.flatMap((section) => section.parts), notice];
  root.classList.add("view");
  root.replaceChildren(
    element("div", { class: "bar-top" }, contents(sections), switches.node),
    notice.node,
    figures.node,
    notRead.node,
    timeLine.node,
    element("div", { class: "tops" }, ...overview.map(({ node }) => node)),
    ...sections.map(sectionNode),
  );
  change({});
  return {
    update: (newer) => change({ summary: newer, span: translated(state, newer) }),
  };
}

function isSame(one: Span | null, other: Span | null): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

/** Returns the same months in another summary. */
function translated({ summary: { months }, span }: State, newer: Summary): Span | null {
  return span === null ? null : spanBetween(newer, months[span.from] as string, months[span.to] as string);
}

function sectionNode({ id, title, text, parts }: Section): HTMLElement {
  const body = element("div", { class: `parts ${id}` }, ...parts.map(({ node }) => node));
  const head = [element("h2", { id, tabindex: "-1" }, title), ...(text === "" ? [] : [element("p", { class: "about" }, text)])];
  return element("section", { "aria-labelledby": id }, ...head, body);
}

function contents(sections: readonly Section[]): HTMLElement {
  const items = sections.map(({ id, title }) => element("li", {}, element("a", { href: `#${id}` }, title)));
  return element("nav", { class: "contents", "aria-label": "Contents" }, element("ul", {}, ...items));
}

// The switches of the view: defanged text, and light or dark.

const THEMES = [
  ["auto", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

class Switches {
  readonly node: HTMLElement;

  /** `defang` is called when the user switches defanged text on or off. */
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

/** A line, always visible, that names the chosen months. */
class SpanNotice implements Part {
  readonly node: HTMLElement;
  readonly #text = element("p", { role: "status" });
  readonly #all: HTMLButtonElement;

  constructor(showAll: () => void) {
    this.#all = button({ class: "plain" }, showAll, "Show all months");
    this.node = element("div", { class: "notice" }, this.#text, this.#all);
  }

  /** Shows a state. */
  show({ summary: { months, cells }, span }: State): void {
    // The element exists from the start, because screen readers read only changes of existing ones.
    this.node.classList.toggle("unseen", span === null);
    this.#all.hidden = span === null;
    if (span === null) {
      setText(this.#text, "");
      return;
    }
    const [from, to] = [monthName(months[span.from] as string), monthName(months[span.to] as string)];
    const [some, all] = [sumsIn(cells, span).matches, sumsIn(cells, null).matches];
    setText(this.#text, `${from === to ? from : `${from} to ${to}`}: ${number(some)} of ${number(all)} URLs`);
  }
}
