// Describes a message by the bodies of its header fields.
import { Describer, type MessageDescription, MessageHeader } from "../../src/mail/describe.ts";

/** Bodies by the names of the table of fields; undefined: the message lacks the field. */
export type Bodies = Readonly<Record<string, Uint8Array | undefined>>;

const USUAL = ["message_id", "target_uri", "date", "date_source", "from", "subject", "newsgroups", "list_id"];

export function describeMessage(bodies: Bodies, asked: readonly string[] = USUAL): MessageDescription {
  const given = Object.entries(bodies).flatMap(([name, body]) => (body === undefined ? [] : [[name, body] as const]));
  return new Describer(new Set(asked)).describe(new MessageHeader(new Map(given)));
}
