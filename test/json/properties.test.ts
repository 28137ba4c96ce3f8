// Any JSON (A16): every build of the core finds what the oracle finds, with the names of members, however the source is cut.
import fc from "fast-check";
import { describe, it } from "vitest";
import { BUILDS } from "../core/builds.ts";
import { check, expectEqual } from "../core/check.ts";
import { scanArchive, scanArchiveLines } from "../mail/builds.ts";
import { describedBy } from "../mail/oracle-rows.ts";
import { jsonTexts } from "../scan/json-texts.ts";
import { cutsOf } from "../scan/pieces.ts";

const label = (bytes: Uint8Array, given: object): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);
const JSON_SOURCE = { type: "json" } as const;

/** A message, or a record of a web archive, that holds JSON. */
const HOLDERS = [
  "Subject: x\nContent-Type: application/json\n\n",
  "Subject: x\nContent-Type: application/vnd.x+json; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n",
  "Content-Type: text/json; charset=utf-16be\nSubject: x\n\n",
  "From a@b.example Fri Jan  5 10:11:12 1996\nSubject: x\nContent-Type: application/x-ndjson\n\n",
  "From: x\nSubject: y\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/json\n\n",
];

describe("any JSON", () => {
  const cutTexts = jsonTexts(4).chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length)));

  it("gives the same matches in the same members, in any build and however it is cut (X13)", () => {
    check(2000, cutTexts, ([bytes, cuts]) => {
      const wanted = describedBy(bytes, JSON_SOURCE);
      const urls = wanted.matches.flatMap(({ url }) => (url === null ? [] : [url]));
      for (const build of BUILDS) {
        const shown = (): string => `${build}: ${label(bytes, { cuts })}`;
        expectEqual(scanArchive(build, bytes, JSON_SOURCE), wanted, shown);
        expectEqual(scanArchive(build, bytes, JSON_SOURCE, cuts), wanted, shown);
        expectEqual(scanArchiveLines(build, bytes, JSON_SOURCE, cuts), urls, shown);
      }
    });
  });

  it("does so as a part of mail", () => {
    const held = fc.tuple(fc.constantFrom(...HOLDERS), jsonTexts(4)).chain(([head, json]) => {
      const bytes = Buffer.concat([Buffer.from(head), json, Buffer.from(head.includes("boundary") ? "\n--b--\nhttp://e.example/" : "")]);
      return fc.tuple(fc.constant(bytes), cutsOf(bytes.length));
    });
    check(1000, held, ([bytes, cuts]) => {
      const wanted = describedBy(bytes, {});
      for (const build of BUILDS) {
        const shown = (): string => `${build}: ${label(bytes, { cuts })}`;
        expectEqual(scanArchive(build, bytes, {}), wanted, shown);
        expectEqual(scanArchive(build, bytes, {}, cuts), wanted, shown);
      }
    });
  });
});
