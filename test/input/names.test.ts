// Names of members: cut where they are long, and different where the members are.
import { describe, expect, it } from "vitest";
import { extractFrom } from "../../src/api/extract-from.ts";
import { sourceName } from "../../src/input/containers/entry.ts";
import { TAR_END, tar, tarFile, zip } from "./archives.ts";
import { chunksOf, openBytes } from "./open.ts";
import { SHORT, TEXT } from "./packed.ts";

/** Most characters of the name of a member. */
const MEMBER_NAME_LENGTH = 1024;
const LONG_NAME = `${"folder/".repeat(140_000)}file`;

function named(name: string, text: string | Buffer): Buffer {
  return Buffer.concat([tarFile({ name: "long", text: `${name}\0` }, "L"), tarFile({ name: "cut", text })]);
}

const nameOf = (name: string, outer = "x"): string => sourceName(outer).member(name).text ?? "";

describe("a member's name", () => {
  it("stays as it is up to a length", () => {
    const name = "n".repeat(MEMBER_NAME_LENGTH);
    expect(nameOf(name)).toBe(`x!${name}`);
    expect(sourceName(undefined).member("a").member("b").text).toBe("a!b");
    expect(sourceName("x").text).toBe("x");
  });

  it("is cut behind that, with a mark and a hash of the rest", () => {
    const cut = nameOf(LONG_NAME);
    expect(cut).toMatch(/^x!(?:folder\/)+f?o?l?d?e?r?…#[0-9a-f]{16}$/);
    expect(cut).toHaveLength("x!".length + MEMBER_NAME_LENGTH);
    expect(nameOf(LONG_NAME)).toBe(cut);
    expect(nameOf(`${LONG_NAME}a`)).not.toBe(nameOf(`${LONG_NAME}b`));
    // The name of the source is its own: it is what the caller gave.
    expect(nameOf(LONG_NAME, LONG_NAME).slice(LONG_NAME.length)).toBe(cut.slice(1));
  });

  it("has no half of a surrogate pair", () => {
    for (const before of ["", "a"]) {
      const cut = nameOf(`${before}${"😀".repeat(2000)}`);
      expect(Buffer.from(cut).toString()).toBe(cut);
      expect(cut.length).toBeLessThanOrEqual("x!".length + MEMBER_NAME_LENGTH);
    }
  });

  it("is cut over all archives in each other", () => {
    let name = sourceName("x");
    for (let depth = 0; depth < 8; depth++) name = name.member("n".repeat(1000));
    expect(name.text).toHaveLength("x!".length + MEMBER_NAME_LENGTH);
    expect(name.member("a").text).not.toBe(name.member("b").text);
  });

  it("is cut in tar and zip, in records and in errors", async () => {
    const inner = zip([{ name: "a".repeat(3000), text: TEXT }]);
    const bytes = Buffer.concat([named(LONG_NAME, SHORT), named(`${LONG_NAME}2`, inner.subarray(0, 3200)), TAR_END]);
    const found = await openBytes("x", bytes);
    expect(found.map(([, , code]) => code)).toEqual([undefined, "ERR_URLMILL_TRUNCATED"]);
    for (const [name] of found) expect(name?.length).toBe("x!".length + MEMBER_NAME_LENGTH);
    expect(new Set(found.map(([name]) => name)).size).toBe(2);
  });

  it("does not multiply in matches", async () => {
    const bytes = tar([{ name: "a", text: TEXT }]);
    const long = Buffer.concat([named(LONG_NAME, TEXT), TAR_END]);
    let characters = 0;
    for await (const { source } of extractFrom(chunksOf(long))) characters += source?.length ?? 0;
    expect(characters).toBe(60 * MEMBER_NAME_LENGTH);
    for await (const { source } of extractFrom(chunksOf(bytes))) expect(source).toBe("a");
  });
});
