// What the oracle of mail finds, as the rows that test/mail-builds.ts makes of what a build of the core finds.
import { describeMessage } from "../src/mail/describe.ts";
import type { ArchiveRow } from "./mail-builds.ts";
import { extractMail, type MailCounts, type MailOptions, readMail } from "./oracle/mail/index.ts";

/** The matches of an archive, and what was counted. */
export function describedBy(bytes: Uint8Array, given: MailOptions): { matches: ArchiveRow[]; counts: MailCounts } {
  const { messages, counts } = readMail(bytes, given);
  const ids = messages.map(({ messageId }) => {
    return messageId === null ? null : (describeMessage({ messageId: Buffer.from(messageId, "latin1") }).message_id ?? null);
  });
  const matches = extractMail(bytes, given).map(({ raw, url, start, end, kind, where, part, quote, message }): ArchiveRow => {
    return { raw, url, start, end, kind, where, part, quote, messageId: ids[message - 1] ?? null };
  });
  return { matches, counts };
}
