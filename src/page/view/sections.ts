// The sections of the view below its first screen.

import { REASON_MEANINGS } from "../../core/reason-table.ts";
import type { Summary } from "../../summary/summary.ts";
import { type Child, element } from "./dom.ts";
import { ExampleLists, exampleItem } from "./examples.ts";
import { FlagList } from "./flag-list.ts";
import { plainText } from "./link-text.ts";
import { KIND_NAMES, OMISSION_NAMES } from "./meanings-table.ts";
import { MessageList } from "./message-list.ts";
import { NameList } from "./name-list.ts";
import { optionWords } from "./option-words.ts";
import type { State, ViewPart } from "./state.ts";
import { RankTable } from "./value-table.ts";
import { counted, duration, number, size } from "./words.ts";

export interface Section {
  readonly id: string;
  readonly title: string;
  /** What the section shows; empty if the title says enough. */
  readonly text: string;
  readonly parts: readonly ViewPart[];
}

/** Most rows of a list of schemes or forms, and of a list of locations: there may be many header fields and JSON members. */
const [NAMES_MOST, LOCATIONS_MOST] = [30, 200];

export function sectionsOf(): Section[] {
  return [...aboutUrls(), ...aboutRun()];
}

function aboutUrls(): Section[] {
  return [
    {
      id: "hosts",
      title: "Hosts",
      text: "The machines that URLs name. Press a name to narrow the page to it.",
      parts: [new RankTable({ name: "host", caption: "Hosts", heads: ["Host"], noun: "host", isAlone: true })],
    },
    {
      id: "domains",
      title: "Domains",
      text: "Hosts put together under the name that somebody has registered.",
      parts: [new RankTable({ name: "domain", caption: "Domains", heads: ["Domain"], noun: "domain", isAlone: true })],
    },
    {
      id: "urls",
      title: "URLs",
      text: "Each URL in its normal form.",
      parts: [new RankTable({ name: "url", caption: "URLs", heads: ["URL"], noun: "URL", count: "Times", isAlone: true })],
    },
    {
      id: "flags",
      title: "What looks dangerous",
      text: "Signs that a URL is not what it seems. A sign is no proof: most have an innocent reason.",
      parts: [new FlagList()],
    },
    {
      id: "messages",
      title: "Messages with signs",
      text: "Those with the most different signs come first, where a user or a port counts half. Of messages with the same sender and subject one is shown.",
      parts: [new MessageList()],
    },
    {
      id: "redirectors",
      title: "Redirectors",
      text: "Services that hide the target of a URL inside another URL, and the hosts that they lead to.",
      parts: [new RankTable({ name: "redirect", caption: "Redirectors", heads: ["Redirector", "Leads to"], noun: "pair", isAlone: true })],
    },
  ];
}

function aboutRun(): Section[] {
  return [
    {
      id: "senders",
      title: "Senders and lists",
      text: "Who sent the messages with these URLs, and through which lists.",
      parts: [
        new RankTable({ name: "from_address", caption: "Senders", heads: ["Sender"], noun: "sender" }),
        new RankTable({ name: "list_id", caption: "Mailing lists", heads: ["List"], noun: "list" }),
      ],
    },
    {
      id: "schemes",
      title: "Schemes and places",
      text: "Which schemes URLs have, how they were written, and in what part of a message.",
      parts: [
        new NameList({ name: "scheme", caption: "Schemes", head: "Scheme", rows: NAMES_MOST, hasShare: true }),
        new NameList({ name: "kind", caption: "How they are written", head: "Form", rows: NAMES_MOST, hasShare: true, words: KIND_NAMES }),
        new NameList({ name: "where", caption: "Where they stand", head: "Place", rows: LOCATIONS_MOST, hasShare: true, rare: /^header:/ }),
      ],
    },
    {
      id: "rejected",
      title: "Rejected",
      text: "What begins like a URL and cannot be one.",
      parts: [new Reasons()],
    },
    {
      id: "run",
      title: "What was read",
      text: "",
      parts: [new RunFacts(), new RankTable({ name: "source", caption: "Sources", heads: ["Source"], noun: "source" })],
    },
  ];
}

// The facts of a run: inputs, options, versions and time.

/** Most inputs that are named. The table of sources lists the files. */
const INPUTS_NAMED = 20;

class RunFacts implements ViewPart {
  readonly node = element("dl", { class: "facts-list" });

  show({ summary }: State): void {
    this.node.replaceChildren(...factsOf(summary).flatMap(([name, ...values]) => (values.length === 0 ? [] : [fact(name, values)])));
  }
}

function fact(name: string, values: readonly Child[]): HTMLElement {
  return element("div", {}, element("dt", {}, name), ...values.map((value) => element("dd", {}, value)));
}

function factsOf({ run, totals, left_out, urlmill, rules, unicode }: Summary): (readonly [name: string, ...values: Child[]])[] {
  const inputs = run.inputs.slice(0, INPUTS_NAMED).map(plainText);
  if (run.inputs.length > INPUTS_NAMED) inputs.push(plainText(`and ${number(run.inputs.length - INPUTS_NAMED)} more`));
  const options = Object.entries(run.options).flatMap(([name, value]) => optionWords(name, value).join(" ") || []);
  const skipped = totals.skipped === 0 ? [] : [counted(totals.skipped, "input could not be read", "inputs could not be read")];
  const speed = Math.round(totals.bytes / Math.max(run.seconds, 1e-6));
  const filtered = totals.filtered === 0 ? [] : [`${counted(totals.filtered, "URL")} by the filters of the options`];
  return [
    ["Inputs", ...inputs],
    ["Read", `${size(totals.bytes)} in ${counted(totals.sources, "source")}, ${counted(totals.messages, "message")}`],
    ["Options", ...(options.length === 0 ? ["none"] : options.map((option) => element("code", {}, plainText(option))))],
    ["Left out", ...skipped, ...filtered, ...left_out.map(omissionText)],
    ["When", run.started.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC")],
    ["How long", `${duration(run.seconds)} with ${counted(run.threads, "thread")}, ${size(speed)} a second`],
    ["By", `urlmill ${urlmill}, rules ${rules}, Unicode ${unicode}`],
  ];
}

function omissionText({ reason, count, source, start, message_id }: Summary["left_out"][number]): HTMLElement {
  const location = `, the first in ${source}${start === null ? "" : `, byte ${number(start)}`}`;
  const message = message_id === null ? "" : `, message <${message_id}>`;
  return plainText(`${OMISSION_NAMES.get(reason) ?? reason}: ${number(count)}${location}${message}`);
}

// Rejected candidates by reason.

class Reasons implements ViewPart {
  readonly node = element("div", { class: "flags" });
  readonly #examples = new ExampleLists();

  show({ summary, span, isCombined, isDefanged }: State): void {
    const isNarrowed = span !== null || isCombined;
    const items = summary.rejected
      .filter(({ count }) => count > 0)
      .map(({ reason, count, examples }) => {
        const { title, text } = REASON_MEANINGS.get(reason) ?? { title: reason, text: "" };
        const name = element("h3", {}, title, " ", element("code", {}, reason));
        const head = element("div", { class: "head" }, name, element("p", { class: "count" }, number(count)));
        const item = element("article", {}, head, element("p", { class: "meaning" }, text));
        const listed = examples.map((example) => exampleItem(example, isDefanged));
        if (listed.length > 0) item.append(this.#examples.list(reason, listed));
        return item;
      });
    const note = isNarrowed
      ? [element("p", { class: "rest" }, "Rejected candidates are not counted by month or value: these are all.")]
      : [];
    this.node.replaceChildren(...note, ...(items.length === 0 ? [element("p", {}, "Nothing was rejected.")] : items));
  }
}
