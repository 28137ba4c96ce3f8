// The command `urlmill parse`: the objects that it writes. More of it: lines.test.ts.
import { expect, it } from "vitest";
import { run } from "./run.ts";

/** The objects of a run's output, one a line. */
function objectsOf(stdout: string): unknown[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

it("tells the components, the flags, and the parts of the scheme", async () => {
  const { stdout } = await run(["parse", "HTTP://u:p@A.example:81/x?y#z", "ftp://h/a/b;type=i"]);
  expect(objectsOf(stdout)).toMatchObject([
    {
      input: "HTTP://u:p@A.example:81/x?y#z",
      scheme: "http",
      user: "u",
      password: "p",
      host: "A.example",
      port: 81,
      path: "/x",
      query: "y",
      fragment: "z",
      flags: ["password", "userinfo", "odd-port", "reserved-port"],
      searchpart: "y",
    },
    { scheme: "ftp", cwd: ["a"], name: "b", type: "i", user: "anonymous", commands: expect.arrayContaining(["CWD a", "RETR b"]) },
  ]);
  expect(stdout).not.toContain('"ok"');
});

it("bytes of gopher as text where they are UTF-8, else in hexadecimal under a name that says so", async () => {
  const { stdout } = await run(["parse", "gopher://h/1a%C3%A9", "gopher://h/1a%FF"]);
  expect(objectsOf(stdout)).toMatchObject([{ selector: "a\u00e9", request: "a\u00e9\r\n" }, { request_hex: "61ff0d0a" }]);
});

it("the lines of standard input, CR LF too; a byte of ill-formed UTF-8 is encoded as itself (C66)", async () => {
  const input = Buffer.concat([Buffer.from("http://a/x\r\nhttp://b/"), Buffer.from([0xff, 0xc3]), Buffer.from("\u00e9")]);
  const { stdout, stderr, code } = await run(["parse"], { input });
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(objectsOf(stdout)).toMatchObject([
    { host: "a", path: "/x" },
    { input: "http://b/%FF%C3\u00e9", path: "/%FF%C3\u00e9" },
  ]);
});

it("what is refused is an object with the code and the byte, and an error", async () => {
  const { stdout, stderr, code } = await run(["parse"], { input: "http://h:99999/\n\nmailto:x\nhttp://a/\n" });
  expect(code).toBe(2);
  expect(objectsOf(stdout)).toMatchObject([
    { input: "http://h:99999/", error: { code: "bad-port", offset: 14 } },
    { input: "", error: { code: "empty", offset: 0 } },
    { input: "mailto:x", error: { code: "bad-shape", offset: 7 } },
    { host: "a" },
  ]);
  expect(stderr.split("\n").map((line) => line.replace(/: "[^"]*"$/, ""))).toEqual([
    "urlmill: line 1: bad-port",
    "urlmill: line 2: empty",
    "urlmill: line 3: bad-shape",
    "",
  ]);
});

it("an option may stand behind an argument; behind -- nothing is one", async () => {
  const { stdout, code } = await run(["parse", "http://a/", "-q", "--", "-x:y"]);
  expect(code).toBe(2);
  expect(objectsOf(stdout)).toMatchObject([{ host: "a" }, { input: "-x:y", error: { code: "no-scheme" } }]);
});
