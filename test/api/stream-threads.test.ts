// ExtractStream with threads: the same bytes as without, under any options, wherever a block ends.
import { expect, it } from "vitest";
import { streamOf, TEXT, through } from "./pieces.ts";

const LONG = Buffer.concat(Array(120).fill(TEXT));

it("with a range, a filter and rejected candidates", async () => {
  const options = { range: [3_000_001, 5_000_007], schemes: ["http"], match: /^HTTP:/gi, urlBytesMax: 256 } as const;
  const listed: unknown[][] = [[], []];
  const [alone, spread] = await Promise.all(
    [1, 2].map((threads, index) =>
      through(streamOf(LONG, 1 << 16), { ...options, threads, format: "ndjson", onRejected: (one) => listed[index].push(one) }),
    ),
  );
  expect(alone.length).toBeGreaterThan(1000);
  expect(spread).toBe(alone);
  expect(listed[0].length).toBeGreaterThan(100);
  expect(listed[1]).toEqual(listed[0]);
});

it("nested URLs, other forms and chains", async () => {
  const inside = "http://a.example/?u=http%3A%2F%2Fb.example%2F https://www.google.com/url?q=ftp://www.c.example/\n";
  const text = Buffer.concat(Array(50).fill(Buffer.concat([TEXT, Buffer.from(inside)])));
  expect(text.length).toBeGreaterThan(5 << 19);
  for (const form of [{ unwrap: true, stripWww: true }, { profile: "surt" }] as const) {
    const listed: unknown[][] = [[], []];
    const [alone, spread] = await Promise.all(
      [1, 2].map((threads, index) => {
        const options = { ...form, nested: true, urlBytesMax: 256, threads } as const;
        return through(streamOf(text, 50_000), { ...options, format: "ndjson", onRejected: (one) => listed[index].push(one) });
      }),
    );
    expect(alone).toContain('"kind":"nested"');
    expect(alone.includes('"chain":[')).toBe("unwrap" in form);
    expect(spread).toBe(alone);
    expect(listed[0].length).toBeGreaterThan(100);
    expect(listed[1]).toEqual(listed[0]);
  }
});

it.each([
  ["a hash", "0123456789abcdef".repeat(8), {}],
  ["a word longer than a URL may be", "x".repeat(20_000), {}],
  ["a name longer than a URL may be", `www.${"x".repeat(20_000)}`, {}],
  ["a URL", `http://a.example/${"x".repeat(300)}`, { urlBytesMax: 256 }],
  ["a URL with a context", `www.a.example/${"x".repeat(3000)}`, { format: "ndjson", context: 1000 }],
] as const)("a stream with %s wherever a block ends", async (_, word, options) => {
  const words = Buffer.alloc(9 << 20, `${word}\n`);
  const given = { ...options, bare: ["www", "email"] } as const;
  for (const shift of [0, 1, 50, 100]) {
    const text = Buffer.concat([Buffer.alloc(shift, "\n"), words]);
    expect(await through(streamOf(text, 1 << 20), { ...given, threads: 2 })).toBe(await through(streamOf(text, 1 << 20), given));
  }
});

it("the longest URLs that can be asked for", async () => {
  const text = Buffer.from(
    `${`http://a.example/${"x".repeat(1_000_000)} `.repeat(30)}http://b.example/${"y".repeat(1_100_000)} http://c.example/`,
  );
  const alone = await through(streamOf(text, 1 << 20), { urlBytesMax: 1 << 20 });
  expect(alone.split("\n")).toHaveLength(32);
  expect(await through(streamOf(text, 1 << 20), { urlBytesMax: 1 << 20, threads: 2 })).toBe(alone);
});
