// The view that shows a summary: of the report, and of the application.
import { type Summary, TABLES } from "../../summary/summary.ts";
import { areLinks, linkForm } from "./archive-text.ts";
import { spanBetween, sumsIn } from "./cells.ts";
import { button, element, select, setText } from "./dom.ts";
import { signsPrevail } from "./flag-list.ts";
import { type Choice, narrowed } from "./narrow.ts";
import { dangerList, figures, nameList, notRead, OVERVIEW_ROWS } from "./overview.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { choiceButton, isChosen, keyOf, NOUNS, type State, type ViewPart } from "./state.ts";
import { TimeLine } from "./time-line.ts";
import { monthName, number } from "./words.ts";

export interface View {
  /** Shows another summary, for example a later one of a running scan. The user's settings stay. */
  update(summary: Summary, isLast: boolean): void;
}

/** The choice of the user; ALL is the state without a choice. */
type Chosen = Pick<State, "span" | "choices" | "wantsLinks">;
const ALL: Chosen = { span: null, choices: [], wantsLinks: null };
const NOT_COMBINED = { isCombined: false, indexes: undefined, more: 0, hasMessages: true };

/**
 * Replaces the content of `root` with a view of a summary. The choice is kept in the address of the page. `isLast`: the summary is that of
 * a whole run. Only the last summary of a run may turn "Only links" on, because the shares of earlier ones go up and down, and only if the
 * user has chosen nothing during the run.
 */
export function showSummary(root: HTMLElement, summary: Summary, isLast: boolean): View {
  let isOver = isLast;
  let hasChosen = location.hash !== "";
  const shownAtFirst = { whole: summary, summary, linksAtFirst: isLast && signsPrevail(summary), isOfLinks: false, isDefanged: true };
  let state: State = { ...shownAtFirst, ...ALL, ...NOT_COMBINED, choose };
  const change = (changes: Partial<Omit<State, "summary">>): void => {
    const before = state;
    state = { ...before, ...changes };
    state = { ...state, isOfLinks: state.wantsLinks ?? state.linksAtFirst };
    const isInSpan = state.span !== null;
    const isOther = state.choices !== before.choices || state.isOfLinks !== before.isOfLinks;
    if (isOther || state.whole !== before.whole || isInSpan !== (before.span !== null)) {
      const isCombined = state.choices.length > 0 || state.isOfLinks;
      const made = isCombined ? { isCombined, ...narrowed(state.whole, state, isInSpan) } : { summary: state.whole, ...NOT_COMBINED };
      state = { ...state, ...made };
    }
    show(state);
    address.write(state, isOther);
  };
  const choosing = (chosen: Partial<Chosen>): void => {
    hasChosen = true;
    change(chosen);
  };
  function choose(choice: Choice): void {
    // The pressed button is replaced by a new one, which gets the focus.
    const list = document.activeElement?.closest("section, .names, .notice");
    const others = state.choices.filter((one) => keyOf(one) !== keyOf(choice));
    choosing({ choices: isChosen(state, choice) ? others : [...others, choice] });
    if (document.activeElement?.matches("body") === false) return;
    const buttons = [list, root].flatMap((node) => [...(node?.querySelectorAll<HTMLElement>("[data-choice]") ?? [])]);
    buttons.find((node) => node.dataset.choice === keyOf(choice) && node.checkVisibility())?.focus();
  }
  const timeLine = new TimeLine((span) => {
    if (span?.from !== state.span?.from || span?.to !== state.span?.to) choosing({ span });
  });
  const facts = [figures(), notRead()];
  const overview = [
    nameList({ name: "host", caption: "Hosts linked most", head: "Host", rows: OVERVIEW_ROWS }),
    nameList({ name: "from_address", caption: "Linked most by", head: "Sender", rows: OVERVIEW_ROWS }),
    dangerList(),
  ];
  const sections = sectionsOf();
  const notice = noticeOf(choosing);
  const address = addressOf(() => choosing(address.read(state.whole)));
  const switches = switchesOf(change);
  const show = shownIn([notice, switches, ...facts, timeLine, ...overview, ...sections.flatMap(([, , , parts]) => parts)]);
  root.classList.add("view");
  root.replaceChildren(
    contents(sections),
    switches.node,
    notice.node,
    ...facts.map(({ node }) => node),
    timeLine.node,
    element("div", { class: "tops" }, ...overview.map(({ node }) => node)),
    ...sections.map(sectionNode),
  );
  root.addEventListener("click", jump);
  globalThis.addEventListener("beforeprint", () => unfoldForPrint(root));
  change(address.read(summary));
  return {
    update: (newer, isEnd) => {
      const begins = isOver;
      isOver = isEnd;
      if (begins) hasChosen = false;
      const linksAtFirst = isEnd && !hasChosen ? signsPrevail(newer) : !begins && state.linksAtFirst;
      const [from, to] = state.span === null ? [] : [state.whole.months[state.span.from], state.whole.months[state.span.to]];
      change({ whole: newer, span: spanBetween(newer, from ?? "", to ?? ""), linksAtFirst });
    },
  };
}

function unfoldForPrint(root: HTMLElement): void {
  const folded = [...root.querySelectorAll<HTMLDetailsElement>(".fold:not([open])")];
  const toggle = (): void => {
    for (const fold of folded) fold.open = !fold.open;
  };
  toggle();
  globalThis.addEventListener("afterprint", toggle, { once: true });
}

/** Returns what shows a state: at once in the visible parts, and in the other parts after the visible ones have been painted. */
function shownIn(parts: readonly ViewPart[]): (state: State) => void {
  const late = new Set<ViewPart>();
  let shown: State;
  const show = (part: ViewPart): void => {
    late.delete(part);
    part.show(shown);
    part.node.ariaBusy = null;
  };
  // Each late part is shown in a task of its own, so that the page stays lively.
  const showNext = (): void => {
    setTimeout(() => {
      const [part] = late;
      if (part === undefined) return;
      showNext();
      show(part);
    });
  };
  return (state) => {
    shown = state;
    const isScheduled = late.size > 0;
    const inSight = parts.filter(({ node }) => isInSight(node));
    for (const part of parts) {
      late.add(part);
      part.node.ariaBusy = "true";
    }
    inSight.forEach(show);
    if (!isScheduled) requestAnimationFrame(showNext);
  };
}

function isInSight(node: HTMLElement): boolean {
  const { top, bottom } = node.getBoundingClientRect();
  return (top < innerHeight && bottom >= 0) || node.contains(document.activeElement);
}

function jump(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#']") : null;
  const target = link && document.getElementById(link.hash.slice(1));
  if (target === null) return;
  event.preventDefault();
  const fold = target.closest("details");
  if (fold !== null) fold.open = true;
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

/** Returns a section that folds. In a narrow window it is folded at first, so that the page begins as a list of its sections. */
function sectionNode([id, title, text, parts]: Section): HTMLElement {
  const body = element("div", { class: `parts ${id}` }, ...parts.map(({ node }) => node));
  const head = element("summary", { id }, element("h2", {}, title));
  const about = text === "" ? [] : [element("p", { class: "about" }, text)];
  const open = !matchMedia("(max-width: 44rem)").matches;
  return element("section", { "aria-labelledby": id }, element("details", { class: "fold", open }, head, ...about, body));
}

function contents(sections: readonly Section[]): HTMLElement {
  const items = sections.map(([id, title]) => element("li", {}, element("a", { href: `#${id}` }, title)));
  return element("nav", { class: "contents", "aria-label": "Contents" }, element("ul", {}, ...items));
}

const WHY_LINKS = "On at first: signs of danger are frequent here, and mailto:, urn: and names of vocabularies cannot be clicked.";

const THEMES = [
  ["light dark", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

function switchesOf(change: (changes: Partial<Pick<State, "isDefanged" | "wantsLinks">>) => void): ViewPart {
  const defang = element("input", { type: "checkbox", role: "switch" });
  defang.checked = true;
  defang.addEventListener("change", () => change({ isDefanged: defang.checked }));
  const links = element("input", { type: "checkbox", role: "switch", "aria-describedby": "why-links" });
  links.addEventListener("change", () => change({ wantsLinks: links.checked }));
  const why = element("span", { class: "about", id: "why-links" });
  const themes = select({}, THEMES, ({ value }) => {
    document.documentElement.style.colorScheme = value;
  });
  const node = element(
    "div",
    { class: "switches" },
    element("label", { title: "Shows a.example as a[.]example, so that no program makes a link of it" }, defang, " Defang"),
    element("label", { title: "Leaves out names of vocabularies, cid:, mid:, mailto: and urn:" }, links, " Only links"),
    why,
    element("label", {}, "Colors ", themes),
  );
  // The address and a choice, too, change `isOfLinks`.
  const show = ({ linksAtFirst, isOfLinks }: State): void => {
    links.checked = isOfLinks;
    why.hidden = !linksAtFirst;
    setText(why, linksAtFirst ? WHY_LINKS : "");
  };
  return { node, show };
}

/** A line that names the choice. It is hidden while nothing is chosen. */
function noticeOf(change: (changes: Partial<Chosen>) => void): ViewPart {
  const text = element("p", { role: "status" });
  const chips = element("div", { class: "chips" });
  // The element exists from the start, because screen readers read only changes of existing ones.
  const node = element("div", { class: "notice" }, chips, text);
  const chip = (name: string, press: () => void): HTMLButtonElement => button({ class: "choice" }, press, name, cross());
  const cross = (): HTMLElement => element("span", { "aria-hidden": "true" }, " ×");
  const show = (state: State): void => {
    const { whole, summary, span, choices, isOfLinks, more } = state;
    const isAll = span === null && choices.length === 0 && !isOfLinks;
    node.classList.toggle("unseen", isAll);
    const some = sumsIn(summary.cells, span).matches;
    const besides = more === 0 ? "" : `, and perhaps ${number(more)} more: rare combinations were not kept`;
    setText(text, isAll ? "" : `${number(some)} of ${number(whole.totals.matches)} URLs${besides}`);
    const made = choices.map((choice) => {
      const shown = areLinks(choice.name) ? linkForm(choice.value, state.isDefanged) : choice.value;
      return choiceButton(state, choice, `${NOUNS[choice.name]} ${shown}`, cross());
    });
    if (isOfLinks) made.unshift(chip("only links", () => change({ wantsLinks: false })));
    if (span !== null) {
      const names = [span.from, span.to].map((at) => monthName(whole.months[at] as string));
      made.unshift(chip([...new Set(names)].join(" – "), () => change({ span: null })));
    }
    if (!isAll) made.push(button({ class: "plain" }, () => change({ ...ALL, wantsLinks: false }), "Show all"));
    chips.replaceChildren(...made);
  };
  return { node, show };
}

/** Milliseconds after which chosen months are written to the address, because dragging changes them often. */
const WRITE_MS = 300;

/**
 * Returns what reads and writes the choice in the address of the page: `#months=1998-01..1999-02&host=a.example`. `changed` is called when
 * the user goes back or forth, or changes the address.
 */
function addressOf(changed: () => void) {
  let written = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const compare = (): void => {
    if (location.hash.slice(1) !== written) changed();
  };
  globalThis.addEventListener("hashchange", compare);
  globalThis.addEventListener("popstate", compare);

  /** Returns the choice in the address. The months are months of `summary`; the values need not occur in it. */
  const read = (summary: Summary): Chosen => {
    written = location.hash.slice(1);
    const words = new URLSearchParams(written);
    const [from = "", to = from] = (words.get("months") ?? "").split("..");
    const choices = TABLES.flatMap((name) => words.getAll(name).map((value) => ({ name, value })));
    const only = words.get("only");
    return { span: spanBetween(summary, from, to), choices, wantsLinks: only === null ? null : only === "links" };
  };

  /** Writes the choice of a state. `isStep`: adds it to the history, so that the user can go back. */
  const write = ({ whole, span, choices, linksAtFirst, isOfLinks }: State, isStep: boolean): void => {
    const words = new URLSearchParams(choices.map(({ name, value }) => [name, value]));
    if (isOfLinks !== linksAtFirst) words.set("only", isOfLinks ? "links" : "all");
    if (span !== null) words.set("months", `${whole.months[span.from]}..${whole.months[span.to]}`);
    const text = String(words);
    clearTimeout(timer);
    if (text === written) return;
    const save = (): void => {
      written = text;
      const url = text === "" ? location.pathname + location.search : `#${text}`;
      if (isStep) history.pushState(null, "", url);
      else history.replaceState(null, "", url);
    };
    if (isStep) save();
    else timer = setTimeout(save, WRITE_MS);
  };
  return { read, write };
}
