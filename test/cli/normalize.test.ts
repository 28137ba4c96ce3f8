// The command `urlmill normalize`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, removeFolder, run } from "./run.ts";

it("normalizes its arguments, one a line, in order", async () => {
  expect(await run(["normalize", "HTTP://A.example:80", "ftp://h//x;TYPE=A", "mailto:A@B.C"])).toEqual({
    code: 0,
    signal: null,
    stdout: "http://a.example/\nftp://h//x;type=a\nmailto:A@b.c\n",
    stderr: "",
  });
});

it("normalizes the lines of standard input, with LF or CR LF, the last one with or without", async () => {
  const stdout = "http://a.example/~x\nhttp://b.example/\n";
  for (const input of ["HTTP://a.example/%7ex\nhttp://B.example", "HTTP://a.example/%7ex\r\n http://B.example \r\n"]) {
    expect(await run(["normalize"], { input })).toEqual({ code: 0, signal: null, stdout, stderr: "" });
  }
});

it("a refused one is an empty line, named on standard error, and the exit code is 2", async () => {
  const { stdout, stderr, code } = await run(["normalize"], { input: "http://a/\nno url\n\nhttp://[::1\nhttp://b:65536/\nhttp://c/\n" });
  expect({ stdout, code }).toEqual({ stdout: "http://a/\n\n\n\n\nhttp://c/\n", code: 2 });
  expect(stderr).toBe(
    'urlmill: line 2: no-scheme: "no url"\nurlmill: line 3: empty: ""\n' +
      'urlmill: line 4: bad-host: "http://[::1"\nurlmill: line 5: bad-port: "http://b:65536/"\n',
  );
  expect(await run(["normalize", "mailto:x"])).toMatchObject({ stdout: "\n", stderr: 'urlmill: bad-shape: "mailto:x"\n', code: 2 });
});

it("--profile none leaves the bytes of URLs as they are, and refuses what is none", async () => {
  const { stdout, stderr, code } = await run(["normalize", "--profile", "none"], { input: " HTTP://A \r\nx y\nhttp://a/\u00e9\n" });
  expect(stdout).toBe("HTTP://A\n\nhttp://a/\u00e9\n");
  expect(stderr).toBe('urlmill: line 2: no-scheme: "x y"\n');
  expect(code).toBe(2);
});

it("a byte of ill-formed UTF-8 is encoded as itself (C66)", async () => {
  const input = Buffer.concat([
    Buffer.from("http://a/\u00e9"),
    Buffer.from([0xff, 0xc3]),
    Buffer.from("z\u{1f600}"),
    Buffer.from([0xe2, 0x82]),
  ]);
  expect((await run(["normalize"], { input })).stdout).toBe("http://a/%C3%A9%FF%C3z%F0%9F%98%80%E2%82\n");
});

it.each(["rfc3986", "whatwg", "rfc1738"])("a line longer than any URL is refused, and the next one is read: %s (C329)", async (profile) => {
  const { stdout, stderr, code } = await run(["normalize", "--profile", profile], {
    input: `http://a/${"x".repeat(3 << 20)}\nHTTP://b/\n`,
  });
  expect({ stdout, code }).toEqual({ stdout: "\nhttp://b/\n", code: 2 });
  expect(stderr).toMatch(/^urlmill: line 1: overlong: "http:\/\/a\/x+"\n$/);
  expect(stderr.length).toBeLessThan(300);
});

it("an argument that is a file, but no URL, gets a hint at standard input; parse gives it too", async () => {
  const folder = newFolder();
  try {
    writeFileSync(join(folder, "t.txt"), "http://a.example/\n");
    writeFileSync(join(folder, "a b"), "http://a.example/\n");
    for (const name of ["normalize", "parse"]) {
      const { stderr, code } = await run([name, "t.txt", "a b", "other", "."], { cwd: folder });
      expect({ lines: stderr.split("\n"), code }).toEqual({
        lines: [
          `urlmill: no-scheme: "t.txt" is a file; its lines are read by urlmill ${name} < t.txt`,
          `urlmill: no-scheme: "a b" is a file; its lines are read by urlmill ${name} < "a b"`,
          'urlmill: no-scheme: "other"',
          'urlmill: no-scheme: "."',
          "",
        ],
        code: 2,
      });
    }
    const hidden = await run(["normalize", "--userinfo", "redact", "t.txt"], { cwd: folder });
    expect(hidden.stderr).toBe("urlmill: argument 1: no-scheme (not shown: it may hold a password)\n");
  } finally {
    removeFolder(folder);
  }
});

it("nothing in, nothing out", async () => {
  expect(await run(["normalize"])).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
});

it("takes the options of N10, also on what it leaves as written", async () => {
  const options = ["--strip-fragment", "--sort-query", "--strip-tracking", "--strip-www", "--userinfo", "redact", "--unwrap"];
  const url = "HTTP://u:p@www.a.example/?c=1&utm_source=x&b=2#f";
  expect((await run(["normalize", ...options, url])).stdout).toBe("http://***@a.example/?b=2&c=1\n");
  expect((await run(["normalize", "--profile", "none", ...options, url])).stdout).toBe("HTTP://***@a.example/?b=2&c=1\n");
  expect((await run(["normalize", "--profile", "surt", "http://www.a.example/"])).stdout).toBe("http://(example,a,www,)/\n");
  expect((await run(["normalize", "--profile", "whatwg", "http://0x7f.1"])).stdout).toBe("http://127.0.0.1/\n");
});
