// Formats stix and misp: distinct URLs and names of hosts, with ids that depend on the input alone.
import { describe, expect, it } from "vitest";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import { settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { formatted } from "../../src/output/formatted.ts";
import { nodeOutput } from "../../src/output/node-output.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { run } from "../cli/run.ts";
import { put, useFolder } from "../threads/folder.ts";
import { sinkOf } from "./sinks.ts";

useFolder();

const MAIL = [
  "From a@b.example Mon Jan  5 10:00:00 1998",
  "Date: Mon, 5 Jan 1998 10:00:00 +0100",
  "",
  "http://lists.example/millers/leave http://WWW.mill.example/ http://192.0.2.1/x http://[2001:db8::1]/ mailto:joe@a.example",
  "http://www.mill.example/",
  "",
  "From a@b.example Mon Jan  5 10:00:00 1998",
  "Date: Tue, 6 Jan 1998 10:00:00 +0000",
  "",
  "http://lists.example/millers/leave <http://[bad/>",
  "",
].join("\n");
const VALUES = [
  ["url", "http://lists.example/millers/leave"],
  ["domain-name", "lists.example"],
  ["url", "http://www.mill.example/"],
  ["domain-name", "www.mill.example"],
  ["url", "http://192.0.2.1/x"],
  ["url", "http://[2001:db8::1]/"],
  ["url", "mailto:joe@a.example"],
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function written(options: ExtractStreamOptions, text = MAIL): Promise<string> {
  const stream = new ExtractStream({ type: "mbox", source: "list", ...options });
  stream.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

it("hosts that are addresses, or one label, are no names", async () => {
  const numbers = "http://0xc0a80101/ http://0x7f.0.0.1/ http://1.2.3/ http://256.1.1.1/ http://1.2.3.08/ http://a.0x7f/ http://[::1]/";
  const text = `${numbers} http://localhost/ http://www./x http://a.example/`;
  const { objects } = JSON.parse(await written({ format: "stix", type: "text" }, text));
  const names = objects.filter(({ type }: { type: string }) => type === "domain-name");
  expect(names.map(({ value }: { value: string }) => value)).toEqual(["a.example"]);
});

it.each(["stix", "misp"] as const)("%s is not written defanged", async (format) => {
  await expect(written({ format, defang: true })).rejects.toThrow(`defang cannot be given with format: "${format}"`);
});

describe("stix", () => {
  it("is a bundle of STIX 2.1 with the ids of its section 2.9", async () => {
    const { type, id, objects } = JSON.parse(await written({ format: "stix" }));
    expect([type, id]).toEqual(["bundle", expect.stringMatching(/^bundle--/)]);
    expect(id.slice("bundle--".length)).toMatch(UUID);
    expect(objects.map((one: { type: string; value: string }) => [one.type, one.value])).toEqual(VALUES);
    // By Python: uuid5(UUID("00abedb4-aa42-466c-9c23-fed23a9606c3"), '{"value":"www.mill.example"}').
    expect(objects[3]).toEqual({
      type: "domain-name",
      spec_version: "2.1",
      id: "domain-name--92cbae75-6208-552a-89c0-0448ba06f4b9",
      value: "www.mill.example",
      x_urlmill_source: "list",
      x_urlmill_start: MAIL.indexOf("http://WWW"),
      x_urlmill_role: "text",
    });
    expect(objects[0].id).toBe("url--f684bb2d-39e5-5569-bbc4-3a705da1a4f0");
  });

  it("has no list of objects if nothing is found (STIX 2.1, section 2.5)", async () => {
    const bundle = JSON.parse(await written({ format: "stix" }, "nothing"));
    expect(bundle).toEqual({ type: "bundle", id: expect.stringMatching(/^bundle--/) });
  });
});

describe("misp", () => {
  it("is an event whose attributes have ids of their own", async () => {
    const { Event: event } = JSON.parse(await written({ format: "misp" }));
    expect(event).toMatchObject({ date: "1998-01-06", timestamp: "884080800", published: false, uuid: expect.stringMatching(UUID) });
    const attributes: { type: string; value: string; uuid: string }[] = event.Attribute;
    const types: Record<string, string> = { "lists.example": "domain", "www.mill.example": "hostname" };
    expect(attributes.map(({ type, value }) => [type, value])).toEqual(
      VALUES.map(([type = "", value = ""]) => [types[value] ?? type, value]),
    );
    expect(attributes[0]).toMatchObject({ category: "Network activity", to_ids: false, timestamp: "883990800" });
    expect(new Set(attributes.map(({ uuid }) => uuid)).size).toBe(VALUES.length);
    expect(attributes.every(({ uuid }) => UUID.test(uuid))).toBe(true);
    expect(JSON.parse(await written({ format: "misp" }, "nothing")).Event.Attribute).toEqual([]);
    // An instance of MISP drops an attribute whose id it has: the same URL of another archive needs another one.
    const other = JSON.parse(await written({ format: "misp", source: "other" })).Event;
    expect(other.Attribute[0].uuid).not.toBe(attributes[0]?.uuid);
    expect(other.uuid).not.toBe(event.uuid);
  });
});

const PAGE = [
  "From a@b.example Mon Jan  5 10:00:00 1998",
  "Message-ID: <1@a.example>",
  "Content-Type: text/html",
  "",
  '<html xmlns="http://www.w3.org/1999/xhtml"><body background="http://a.example/1"><img src="http://a.example/2"> http://a.example/3',
  '<a href="http://a.example/4">http://b.example/5</a><form action="http://a.example/6"><link href="http://a.example/7"></form>',
].join("\n");
const ROLES = [
  ["http://a.example/3", "text", []],
  ["http://a.example/4", "target", ["other-host"]],
  ["http://b.example/5", "text", []],
  ["http://a.example/6", "target", ["form"]],
];
const MORE_ROLES = [
  ["http://www.w3.org/1999/xhtml", "other", ["namespace"]],
  ["http://a.example/1", "picture", []],
  ["http://a.example/2", "picture", []],
  ["http://a.example/7", "other", []],
];

describe("what a reader sees of a match, and can click", () => {
  it("stix", async () => {
    const seen = async (more: ExtractStreamOptions): Promise<unknown[]> => {
      const { objects } = JSON.parse(await written({ format: "stix", ...more }, PAGE));
      return objects.flatMap((one: Record<string, string>) =>
        one.type === "url" ? [[one.value, one.x_urlmill_role, one.x_urlmill_flags ?? []]] : [],
      );
    };
    expect(await seen({})).toEqual(ROLES);
    expect((await seen({ has: ["tag=.*"] })).sort()).toEqual([...ROLES, ...MORE_ROLES].sort());
  });

  it("misp", async () => {
    const { Event: event } = JSON.parse(await written({ format: "misp" }, PAGE));
    expect(event.Attribute.map(({ comment }: { comment: string }) => comment)).toContain(
      `target, other-host, <1@a.example>, list, byte ${PAGE.indexOf("http://a.example/4")}`,
    );
  });
});

it("what cannot be clicked is left out before records are chosen", async () => {
  const path = put("page.mbox", PAGE);
  for (const choice of [["--unique-by", "message_id"], ["--sample", "1"], ["-u"]]) {
    const { stdout } = await run(["-q", "-f", "stix", ...choice, path]);
    const urls = JSON.parse(stdout).objects.filter(({ type }: { type: string }) => type === "url");
    expect([choice, urls.length]).toEqual([choice, choice[0] === "-u" ? ROLES.length : 1]);
  }
});

it("misp: no time is before 1970", async () => {
  const text = await written({ format: "misp" }, MAIL.replaceAll("1998", "1968"));
  const { Event: event } = JSON.parse(text);
  expect([event.date, event.timestamp, event.Attribute[0].timestamp]).toEqual(["1968-01-06", "0", "0"]);
});

it("misp: ids are made of the offsets of records, in encoded mail too", async () => {
  const message = (index: number): string =>
    `From a@b.example Mon Jan  5 10:00:00 1998\nContent-Transfer-Encoding: quoted-printable\n\na =\nb =3D http://${index}.example/\n\n`;
  const path = put("encoded.mbox", Array.from({ length: 300 }, (_, index) => message(index)).join(""));
  const settings = settingsOf(checkValues("urlmill extract", { format: "misp" }));
  const scanned = async (rangeBytes: number): Promise<string> => {
    const chunks: Buffer[] = [];
    const begin = await nodeOutput(settings);
    const sink = begin(sinkOf({ bytes: ({ bytes }) => chunks.push(Buffer.from(bytes)) }));
    await scanFiles([path], { settings, threads: 2, workMillisecondsLeast: 0, rangeBytes }, formatted(settings, sink));
    return Buffer.concat(chunks).toString();
  };
  expect(await scanned(3000)).toBe(await scanned(1 << 20));
});

it.each(["stix", "misp"] as const)("%s is the same with threads, and where what is known does not fit in memory", async (format) => {
  const lines = Array.from({ length: 4000 }, (_, index) => `http://h${index % 1500}.example/${index % 2500}\n`);
  const path = put("list.txt", lines.join(""));
  const settings = settingsOf(checkValues("urlmill extract", { format }));
  const scanned = async (threads: number, memory: number): Promise<string> => {
    const chunks: Buffer[] = [];
    const begin = await nodeOutput(settings, memory);
    const sink = begin(sinkOf({ bytes: ({ bytes }) => chunks.push(Buffer.from(bytes)) }));
    await scanFiles([path], { settings, threads, workMillisecondsLeast: 0, rangeBytes: 10_000 }, formatted(settings, sink));
    return Buffer.concat(chunks).toString();
  };
  const whole = await scanned(1, 1 << 26);
  expect(await scanned(3, 1 << 26)).toBe(whole);
  expect(await scanned(1, 30_000)).toBe(whole);
  const parsed = JSON.parse(whole);
  expect((parsed.objects ?? parsed.Event.Attribute).length).toBe(new Set(lines).size + 1500);
});
