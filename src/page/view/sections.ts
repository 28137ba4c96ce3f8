// The sections of the view below its first screen.
import { REASON_MEANINGS } from "../../core/reason-table.ts";
import type { MessageExample, Summary } from "../../summary/summary.ts";
import { copyButton, ExampleLists, exampleItem, linkForm, placeOf, plainText } from "./archive-text.ts";
import { isWithin } from "./cells.ts";
import { type Child, element } from "./dom.ts";
import { flagList } from "./flag-list.ts";
import { commandOf, listing, optionWords } from "./listing-command.ts";
import { FLAG_MEANINGS, KIND_NAMES, OMISSION_NAMES } from "./meanings-table.ts";
import { OF_MESSAGE } from "./narrow.ts";
import { nameList } from "./overview.ts";
import { choiceButton, partOf, type State, type ViewPart } from "./state.ts";
import { rankTable } from "./value-table.ts";
import { counted, duration, number, size } from "./words.ts";

/** A section. Its text says what it shows; it is empty if the title says enough. */
export type Section = readonly [id: string, title: string, text: string, parts: readonly ViewPart[]];

/** Most rows of a list of schemes or forms, and of a list of locations: there may be many header fields and JSON members. */
const [NAMES_MOST, LOCATIONS_MOST] = [30, 200];

export function sectionsOf(): Section[] {
  return [
    ["hosts", "Hosts", "The machines that URLs name. Press a name to narrow the page to it.", [rankTable("host")]],
    ["domains", "Domains", "Hosts put together under the name that somebody has registered.", [rankTable("domain")]],
    ["urls", "URLs", "Each URL in its normal form.", [rankTable("url")]],
    [
      "flags",
      "What looks dangerous",
      "Signs that a URL is not what it seems. A sign is no proof: most have an innocent reason.",
      [flagList()],
    ],
    [
      "messages",
      "Messages with signs",
      "Those with the most different signs come first; a user or a port counts half. Of messages with the same sender and subject " +
        "one is shown.",
      [messageList()],
    ],
    [
      "redirectors",
      "Redirectors",
      "Services that hide the target of a URL inside another URL, and the hosts that they lead to.",
      [rankTable("redirect")],
    ],
    [
      "senders",
      "Senders and lists",
      "Who sent the messages with these URLs, and through which lists.",
      [rankTable("from_address"), rankTable("list_id")],
    ],
    [
      "schemes",
      "Schemes and places",
      "Which schemes URLs have, how they were written, and in what part of a message.",
      [
        nameList({ name: "scheme", caption: "Schemes", head: "Scheme", rows: NAMES_MOST, hasShare: true }),
        nameList({ name: "kind", caption: "How they are written", head: "Form", rows: NAMES_MOST, hasShare: true, words: KIND_NAMES }),
        nameList({ name: "where", caption: "Where they stand", head: "Place", rows: LOCATIONS_MOST, hasShare: true, rare: /^header:/ }),
      ],
    ],
    ["rejected", "Rejected", "What begins like a URL and cannot be one.", [reasons()]],
    ["run", "What was read", "", [runFacts(), rankTable("source")]],
  ];
}

// The facts of a run: inputs, options, versions and time.

const INPUTS_NAMED = 20;

function runFacts(): ViewPart {
  const fact = ([name, ...values]: Fact): HTMLElement[] => {
    const shown = values.map((value) => element("dd", {}, value));
    return values.length === 0 ? [] : [element("div", {}, element("dt", {}, name), ...shown)];
  };
  return partOf(element("dl", { class: "facts-list" }), ({ summary }) => factsOf(summary).flatMap(fact));
}

type Fact = readonly [name: string, ...values: Child[]];

function factsOf({ run, totals, left_out, urlmill, rules, unicode }: Summary): Fact[] {
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

// The messages that have URLs with signs of danger.

const SIGNS: readonly string[] = [...FLAG_MEANINGS].flatMap(([flag, { concern }]) => (concern === "dangerous" ? [flag] : []));

function messageList(): ViewPart {
  const lists = new ExampleLists();
  return partOf(element("div", { class: "flags" }), (state) => {
    const { whole, summary, span, choices, isOfLinks } = state;
    const messages = summary.messages.filter(({ date }) => isWithin(date, summary.months, span));
    const items = messages.map((message) => messageItem(message, state));
    const isKnown = choices.every(({ name }) => OF_MESSAGE[name] !== undefined);
    const missing = isKnown ? "None of the kept messages has all of these." : "Which messages have all of these is not known here.";
    const none = whole.messages.length === 0 ? "None." : missing;
    const shown = items.length === 0 ? [element("p", { class: "facts" }, none)] : lists.list("messages", items, "message");
    const chosen = choices.flatMap(({ name, value }) => (name === "flag" && SIGNS.includes(value) ? [value] : []));
    const found = SIGNS.filter((sign) => whole.flags.some(({ flag }) => flag === sign));
    const command =
      found.length === 0 || chosen.length > 1
        ? undefined
        : commandOf(chosen.length === 1 ? chosen : found, summary, span, choices, isOfLinks);
    const unlisted = found.length === 0 ? [] : [element("p", { class: "facts" }, "No command lists all of these.")];
    return [...shown, ...(command === undefined ? unlisted : [listing(command)])];
  });
}

function messageItem(message: MessageExample, state: State): HTMLElement {
  const { subject, from_address, flags, hosts, matches, signed, message_id } = message;
  const line: Child[] = [element("span", { class: "name" }, plainText(subject ?? "(no subject)"))];
  if (from_address !== null) line.push(choiceButton(state, { name: "from_address", value: from_address }, plainText(from_address)));
  const signs = flags.map((flag) => choiceButton(state, { name: "flag", value: flag }, FLAG_MEANINGS.get(flag)?.title ?? flag));
  const links = hosts.map((host) => choiceButton(state, { name: "host", value: host }, linkForm(host, state.isDefanged)));
  const count = `${counted(matches, "URL")}, ${number(signed)} with a sign`;
  const command = message_id === null ? undefined : commandOf([], state.whole, null, [{ name: "message_id", value: message_id }]);
  const urls = command === undefined ? [] : [element("span", {}, "Command that lists them ", copyButton(command, false))];
  return element(
    "li",
    {},
    element("p", { class: "line" }, ...line),
    element("p", { class: "line" }, ...signs, ...links),
    element("p", { class: "facts" }, ...placeOf(message), element("span", {}, count), ...urls),
  );
}

// Rejected candidates by reason.

function reasons(): ViewPart {
  const lists = new ExampleLists();
  return partOf(element("div", { class: "flags" }), ({ summary, span, isCombined, isDefanged }) => {
    const items = summary.rejected
      .filter(({ count }) => count > 0)
      .map(({ reason, count, examples }) => {
        const { title, text } = REASON_MEANINGS.get(reason) ?? { title: reason, text: "" };
        const name = element("h3", {}, title, " ", element("code", {}, reason));
        const head = element("div", { class: "head" }, name, element("p", { class: "count" }, number(count)));
        const listed = examples.map((example) => exampleItem(example, isDefanged));
        return element("article", {}, head, element("p", { class: "meaning" }, text), ...lists.list(reason, listed));
      });
    const note = "Rejected candidates are not counted by month or value: these are all.";
    return [
      ...(span !== null || isCombined ? [element("p", { class: "rest" }, note)] : []),
      ...(items.length === 0 ? [element("p", {}, "Nothing was rejected.")] : items),
    ];
  });
}
