// Messages in base64 and quoted-printable (C177): their limits, and those that take more than one step of the reader.
import { describe, expect, it } from "vitest";
import { BUILDS } from "../core/builds.ts";
import { scanArchive, scanArchiveRanges } from "./builds.ts";

const MIB = 2 ** 20;
const EML = { type: "eml" } as const;
const HEADER = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64").replace(/.{76}/g, "$&\n");
const encoded = (message: string): string => `${HEADER}${base64(message)}`;
const multipart = (boundary: string, ...parts: string[]): string => {
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join("");
  return `Content-Type: multipart/mixed; boundary=${boundary}\n\n${body}--${boundary}--\n`;
};

describe.each(BUILDS)("%s: a message in a transfer encoding", (build) => {
  it("is read up to 32 MiB of its body, whatever the cuts; the rest is skipped and counted", () => {
    const picture = `Content-Type: image/gif\n\n${"x".repeat(25 * MIB)}`;
    const inner = `Subject: http://first.example/\n${multipart("c", picture, "\nhttp://last.example/")}`;
    const bytes = Buffer.from(multipart("b", encoded(inner), "\nhttp://next.example/"));
    const whole = scanArchive(build, bytes, EML);
    expect(whole.matches.map(({ url, part }) => [url, part])).toEqual([
      ["http://first.example/", "1"],
      ["http://next.example/", "2"],
    ]);
    const [first] = whole.matches;
    expect((first?.end ?? 0) - (first?.start ?? 0)).toBe(32 * MIB);
    const body = bytes.indexOf("\n\n", bytes.indexOf("base64")) + 2;
    const rest = bytes.indexOf("\n--b\n\nhttp") - body - 32 * MIB;
    expect(rest).toBeGreaterThan(MIB);
    expect(whole.counts.bytesSkipped).toBeGreaterThan(rest + 23 * MIB);
    expect(whole.counts.limits).toEqual({ "encoded-body": 1 });
    expect(scanArchive(build, bytes, EML, [1000, 3 * MIB, 32 * MIB + 100])).toEqual(whole);
  });

  it("may hold a large attachment that is skipped", () => {
    const picture = `Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\n${"A".repeat(10 * MIB)}`;
    const bytes = Buffer.from(multipart("b", encoded(multipart("c", picture, "\nhttp://a.example/")), "\nhttp://b.example/"));
    const { matches, counts } = scanArchive(build, bytes, EML);
    expect(matches.map(({ url, part }) => [url, part])).toEqual([
      ["http://a.example/", "1.2"],
      ["http://b.example/", "2"],
    ]);
    expect(counts).toMatchObject({ partsSkipped: 1, bytesSkipped: 10 * MIB, limits: {} });
  });

  it("may be in another, 32 deep; a deeper one is text and counted", () => {
    const quoted = HEADER.replace("base64", "quoted-printable");
    const nested = (depth: number): string => (depth === 0 ? "Subject: x\n\nhttp://a.example/ " : `${quoted}${nested(depth - 1)}`);
    const deep = (depth: number): [string | undefined, object] => {
      const { matches, counts } = scanArchive(build, Buffer.from(nested(depth)), EML);
      return [matches[0]?.part ?? undefined, counts.limits];
    };
    const part = (depth: number): string => Array<string>(depth).fill("1").join(".");
    expect(deep(32)).toEqual([part(33), {}]);
    expect(deep(33)).toEqual([part(33), { "deep-multipart": 1 }]);
  });

  it("is read by the range of an mbox in which its message begins", () => {
    const message = (text: string): string => `From a Fri Jan  5 10:11:12 1996\n${text}\n\n`;
    const inner = multipart("c", "\nhttp://a.example/", encoded("Subject: x\n\nhttp://b.example/ "));
    const last = encoded("Subject: y\n\nhttp://c.example/ ");
    const bytes = Buffer.from(message(encoded(inner)) + message(last) + message("Subject: z\n\nhttp://d.example/"));
    const whole = scanArchive(build, bytes, { type: "mbox" });
    expect(whole.matches.map(({ url, message: number, part }) => [url, number, part])).toEqual([
      ["http://a.example/", 1, "1.1"],
      ["http://b.example/", 1, "1.2.1"],
      ["http://c.example/", 2, "1.1"],
      ["http://d.example/", 3, "1"],
    ]);
    for (let border = 1; border < bytes.length; border += 23)
      expect(scanArchiveRanges(build, bytes, { type: "mbox" }, [border], [border + 20])).toMatchObject({ matches: whole.matches });
  });
});
