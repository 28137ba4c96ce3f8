// Lists from files: `@FILE` as an item of a list option.
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, removeFolder, run } from "./run.ts";

let folder: string;

beforeAll(() => {
  folder = newFolder();
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  put("hosts", "\ufeff# mine\r\na.example  # the first\r\n\r\n*.b.example\r\n");
  put("senders", "joe@a.example\n@b.example\n");
  put("wrong", "a.example\n# fine\nb c\n");
  put("empty", "# nothing\n");
  put("many", Array.from({ length: 100_000 }, (_, index) => `${index}.example\n`).join(""));
  put("large", "");
  truncateSync(join(folder, "large"), (64 << 20) + 1);
  put("text", "http://a.example/1 http://x.b.example/2 http://c.example/3 http://99.example/4\n");
  const message = (from: string): string => `From ${from} Mon Jan  5 10:00:00 1998\nFrom: ${from}\n\nhttp://${from}/\n\n`;
  put("mail", ["joe@a.example", "ann@a.example", "ann@b.example"].map(message).join(""));
});
afterAll(() => removeFolder(folder));

describe("a list option", () => {
  it.each([
    [["--host", "@hosts", "text"], "http://a.example/1 http://x.b.example/2"],
    [["--host", "c.example,@hosts", "text"], "http://a.example/1 http://x.b.example/2 http://c.example/3"],
    [["--not-host", "@hosts", "text"], "http://c.example/3 http://99.example/4"],
    [["--domain", "@many", "text"], "http://99.example/4"],
    [["--not-domain", "@many", "--not-host", "@./hosts", "text"], "http://c.example/3"],
    [["--from", "@./senders", "mail"], "http://joe@a.example/ http://ann@b.example/"],
    [["--from", "@b.example", "mail"], "http://ann@b.example/"],
  ])("takes the lines of a file: %j", async (args, urls) => {
    expect((await run(args, { cwd: folder })).stdout.split("\n").join(" ").trim()).toBe(urls);
  });

  it.each([
    ["@none", "urlmill: --host cannot read none: no such file or folder"],
    ["@wrong", 'urlmill: --host must list hosts such as a.example or *.a.example, not "b c"; see line 3 of wrong'],
    ["@large", "urlmill: --host takes the lines of files of at most 64 MiB, not of large"],
    ["@/dev/zero", "urlmill: --host takes the lines of files of at most 64 MiB, not of /dev/zero"],
    ["@.", "urlmill: --host cannot read .: cannot be read (EISDIR)"],
    ["@empty", "urlmill: --host has no name in empty, one a line"],
    ["@", 'urlmill: --host must list hosts such as a.example or *.a.example, not "@"'],
  ])("says what is wrong with %s", async (item, message) => {
    const { code, stderr } = await run(["--host", item, "text"], { cwd: folder });
    expect([code, stderr]).toEqual([2, `${message}\n`]);
  });
});
