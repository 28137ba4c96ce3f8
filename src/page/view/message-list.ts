// The messages that have URLs with signs of danger.
import type { MessageExample } from "../../summary/summary.ts";
import { isWithin } from "./cells.ts";
import { type Child, element } from "./dom.ts";
import { ExampleLists, placeOf } from "./examples.ts";
import { copyButton, linkForm, plainText } from "./link-text.ts";
import { commandOf, listing } from "./listing-command.ts";
import { FLAG_MEANINGS } from "./meanings-table.ts";
import { OF_MESSAGE } from "./narrow.ts";
import { choiceButton, type State, type ViewPart } from "./state.ts";
import { counted, number } from "./words.ts";

export const SIGNS: readonly string[] = [...FLAG_MEANINGS].flatMap(([flag, { concern }]) => (concern === "dangerous" ? [flag] : []));

/** The messages with the most signs. Their senders, signs and hosts can be chosen. */
export class MessageList implements ViewPart {
  readonly node = element("div", { class: "flags" });
  readonly #lists = new ExampleLists();

  show(state: State): void {
    const { whole, summary, span, choices, isOfLinks } = state;
    const messages = summary.messages.filter(({ date }) => isWithin(date, summary.months, span));
    const items = messages.map((message) => item(message, state));
    const isKnown = choices.every(({ name }) => OF_MESSAGE[name] !== undefined);
    const missing = isKnown ? "None of the kept messages has all of these." : "Which messages have all of these is not known here.";
    const none = whole.messages.length === 0 ? "None." : missing;
    const shown = items.length === 0 ? element("p", { class: "facts" }, none) : this.#lists.list("messages", items, "message");
    const chosen = choices.flatMap(({ name, value }) => (name === "flag" && SIGNS.includes(value) ? [value] : []));
    const found = SIGNS.filter((sign) => whole.flags.some(({ flag }) => flag === sign));
    const command =
      found.length === 0 || chosen.length > 1
        ? undefined
        : commandOf(chosen.length === 1 ? chosen : found, summary, span, choices, isOfLinks);
    const unlisted = found.length === 0 ? [] : [element("p", { class: "facts" }, "No command lists all of these.")];
    this.node.replaceChildren(shown, ...(command === undefined ? unlisted : [listing(command)]));
  }
}

function item(message: MessageExample, state: State): HTMLElement {
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
