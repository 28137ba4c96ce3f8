// Messages of real archives, where a folder of them is at hand: each has a date that can be read, and what it says of itself is text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describeMessage } from "./described.ts";

const folder = process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.mbox(?:\.gz)?$/.test(name)) : [];

/** Headers of messages, one character a byte, LF at line ends: what comes after a From_ line that follows an empty line. */
function headersOf(name: string): string[] {
  const bytes = readFileSync(join(folder, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1").replaceAll("\r\n", "\n");
  const starts = [...`\n\n${text}`.matchAll(/\n\nFrom .*\n/g)].map((match) => match.index + match[0].length - 2);
  return starts.map((start) => text.slice(start, start + 1 + text.slice(start, start + 65536).search(/\n\n|$/)));
}

function fieldOf(header: string, name: string): Uint8Array | undefined {
  const match = new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, "im").exec(header);
  return match === null ? undefined : Buffer.from(match[1] as string, "latin1");
}

describe.skipIf(files.length === 0)(files.length === 0 ? "messages: no folder of archives here" : "messages", () => {
  it.each(files)("of %s say their date, and their ids without brackets", (name) => {
    const headers = headersOf(name);
    expect(headers.length).toBeGreaterThan(0);
    const unread: string[] = [];
    for (const header of headers) {
      const date = fieldOf(header, "Date");
      const description = describeMessage({ date, "message-id": fieldOf(header, "Message-ID"), subject: fieldOf(header, "Subject") });
      if (date !== undefined && description.date === undefined) unread.push(Buffer.from(date).toString("latin1"));
      if (description.messageId !== undefined) expect(description.messageId).not.toMatch(/[<>\s]|^$/);
    }
    expect(unread).toEqual([]);
  });
});
