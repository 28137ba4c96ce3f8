// What the oracle of mail finds, as the rows that test/mail/builds.ts makes of what a build of the core finds.
import type { OracleOptions } from "../oracle/index.ts";
import { extractMail, type MailCounts, type MailOptions, readMail } from "../oracle/mail/index.ts";
import type { ArchiveRow } from "./builds.ts";
import { type Bodies, describeMessage } from "./described.ts";

/** How an archive is read, and what is looked for in it. */
export type MailSearch = MailOptions & Omit<OracleOptions, "type" | "from" | "to">;

/** What is collected of a field of a message: its text without white space at the ends, up to 2048 bytes (A10). */
function fieldOf(name: string, written: string | null | undefined): Bodies {
  return written === null || written === undefined
    ? {}
    : { [name]: Buffer.from(written.replace(/^[\0- ]+|[\0- ]+$/g, "").slice(0, 2048), "latin1") };
}

/** The matches of an archive, and what was counted. */
export function describedBy(bytes: Uint8Array, given: MailSearch): { matches: ArchiveRow[]; counts: MailCounts } {
  const { messages, counts } = readMail(bytes, given);
  const described = messages.map((message) => {
    const { messageId, date, fromLine, received, targetUri } = message;
    const fields = { "message-id": messageId, date, "from-line": fromLine, received, "target-uri": targetUri };
    return describeMessage(Object.assign({}, ...Object.entries(fields).map(([name, written]) => fieldOf(name, written))));
  });
  const matches = extractMail(bytes, given).map(({ raw, url, start, end, kind, where, part, quote, message }): ArchiveRow => {
    const { messageId = null, date = null, dateSource = null, targetUri = null } = described[message - 1] ?? {};
    return {
      raw,
      url,
      start,
      end,
      kind,
      where,
      part,
      quote,
      message: message === 0 ? null : message,
      messageId,
      date,
      dateSource,
      targetUri,
    };
  });
  return { matches, counts };
}
