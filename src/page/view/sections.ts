// The sections of the view below its first screen.
import type { TableName } from "../../summary/summary.ts";
import { FlagList } from "./flag-list.ts";
import { KIND_NAMES } from "./meanings-table.ts";
import { NameList } from "./name-list.ts";
import { Reasons } from "./reasons.ts";
import { RunFacts } from "./run-facts.ts";
import type { Part } from "./state.ts";
import { ValueTable } from "./value-table.ts";

/** A section with a heading. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** One sentence about what the section shows. */
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Rows of a list of names: header fields and members of JSON may be many. */
const NAMES_MOST = 30;

function nameList(name: TableName, caption: string, head: string, words?: ReadonlyMap<string, string>): NameList {
  return new NameList({ name, caption, head, rows: NAMES_MOST, hasShare: true, ...(words === undefined ? {} : { words }) });
}

/** Returns new sections, in their order. */
export function sectionsOf(): Section[] {
  return [...aboutUrls(), ...aboutRun()];
}

function aboutUrls(): Section[] {
  return [
    {
      id: "hosts",
      title: "Hosts",
      text: "The machines that URLs name.",
      parts: [new ValueTable({ name: "host", caption: "Hosts", heads: ["Host"], form: "link", one: "host", many: "hosts", isAlone: true })],
    },
    {
      id: "domains",
      title: "Domains",
      text: "Hosts put together under the name that somebody has registered.",
      parts: [
        new ValueTable({
          name: "domain",
          caption: "Domains",
          heads: ["Domain"],
          form: "link",
          one: "domain",
          many: "domains",
          isAlone: true,
        }),
      ],
    },
    {
      id: "urls",
      title: "URLs",
      text: "Each URL in its normal form.",
      parts: [
        new ValueTable({
          name: "url",
          caption: "URLs",
          heads: ["URL"],
          count: "Times",
          form: "link",
          one: "URL",
          many: "URLs",
          isAlone: true,
        }),
      ],
    },
    {
      id: "flags",
      title: "What looks dangerous",
      text: "Signs that a URL is not what it seems. A sign is no proof: most have an innocent reason.",
      parts: [new FlagList()],
    },
  ];
}

function aboutRun(): Section[] {
  return [
    {
      id: "redirectors",
      title: "Redirectors",
      text: "Services that hide the target of a URL inside another URL, and the hosts that they lead to.",
      parts: [
        new ValueTable({
          name: "redirect",
          caption: "Redirectors",
          heads: ["Redirector", "Leads to"],
          form: "pair",
          one: "pair",
          many: "pairs",
          isAlone: true,
        }),
      ],
    },
    {
      id: "senders",
      title: "Senders and lists",
      text: "Who sent the messages with these URLs, and through which lists.",
      parts: [
        new ValueTable({ name: "from_address", caption: "Senders", heads: ["Sender"], form: "text", one: "sender", many: "senders" }),
        new ValueTable({ name: "list_id", caption: "Mailing lists", heads: ["List"], form: "text", one: "list", many: "lists" }),
      ],
    },
    {
      id: "schemes",
      title: "Schemes and places",
      text: "Which schemes URLs have, how they were written, and in what part of a message.",
      parts: [
        nameList("scheme", "Schemes", "Scheme"),
        nameList("kind", "How they are written", "Form", KIND_NAMES),
        nameList("where", "Where they stand", "Place"),
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
      parts: [
        new RunFacts(),
        new ValueTable({ name: "source", caption: "Sources", heads: ["Source"], form: "text", one: "source", many: "sources" }),
      ],
    },
  ];
}
