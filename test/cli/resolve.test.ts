// The command `urlmill resolve`: its base and its references. More of it: lines.test.ts.
import { expect, it } from "vitest";
import { run } from "./run.ts";

const BASE = "http://a/b/c/d;p?q";

it("resolves its arguments against the base, one a line, in order", async () => {
  const references = ["g", "../g", "//g", "?y", "#s", "", "mailto:a@b.example"];
  const stdout =
    "http://a/b/c/g\nhttp://a/b/g\nhttp://g\nhttp://a/b/c/d;p?y\nhttp://a/b/c/d;p?q#s\nhttp://a/b/c/d;p?q\nmailto:a@b.example\n";
  for (const base of [["--base", BASE], [`--base=${BASE}`], ["-b", BASE], ["-b", `${BASE}#fragment`], ["-b", ` ${BASE}\n`]]) {
    expect(await run(["resolve", ...base, ...references])).toEqual({ code: 0, signal: null, stdout, stderr: "" });
  }
  expect((await run(["resolve", "../g", "--base", BASE])).stdout).toBe("http://a/b/g\n");
  expect((await run(["resolve", "-b", BASE, "--", "-g", "--help"])).stdout).toBe("http://a/b/c/-g\nhttp://a/b/c/--help\n");
});

it("resolves the lines of standard input: LF or CR LF, empty ones, bytes of ill-formed UTF-8 (C66)", async () => {
  const input = Buffer.concat([Buffer.from("../g\r\n\n./\u00e9"), Buffer.from([0xff]), Buffer.from("\n?y")]);
  const stdout = "http://a/b/g\nhttp://a/b/c/d;p?q\nhttp://a/b/c/\u00e9%FF\nhttp://a/b/c/d;p?y\n";
  expect(await run(["resolve", "-b", BASE], { input })).toEqual({ code: 0, signal: null, stdout, stderr: "" });
});

it("a base that is none is a bad value, whatever the references", async () => {
  const cases = { "no url": "no-scheme", "": "empty", "http:": "no-host", "http://[::1/": "bad-host", "mailto:x": "bad-shape" };
  for (const [base, code] of Object.entries(cases)) {
    for (const flag of ["--base", "-b"]) {
      const stderr = `urlmill: ${flag} must be a URL, not ${JSON.stringify(base)}: ${code}\n`;
      expect(await run(["resolve", flag, base, "x", "http://a/"])).toEqual({ code: 2, signal: null, stdout: "", stderr });
    }
  }
});

it("needs a base, and a value for it", async () => {
  const missing = await run(["resolve", "x"]);
  const stderr = "urlmill: resolve needs --base URL, which references are resolved against\n";
  expect(missing).toEqual({ code: 2, signal: null, stdout: "", stderr });
  expect(await run(["resolve", "x", "--base"])).toMatchObject({
    code: 2,
    stderr: "urlmill: --base needs a value; see urlmill resolve --help\n",
  });
});
