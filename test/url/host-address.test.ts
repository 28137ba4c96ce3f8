// The field `address`: what a host in another notation means. (C214)
import fc from "fast-check";
import { expect, it } from "vitest";
import { addressOf } from "../../src/url/host-address.ts";
import { run } from "../cli/run.ts";
import { check } from "../core/check.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7.", "192.0.2.7"],
  ["0300.0.2.7", "192.0.2.7"],
  ["0xc0.0.0x2.7", "192.0.2.7"],
  ["3221225991", "192.0.2.7"],
  ["192.519", "192.0.2.7"],
  ["127.1", "127.0.0.1"],
  ["0x", "0.0.0.0"],
  ["[::ffff:192.0.2.7]", "192.0.2.7"],
  ["[::ffff:c000:207]", "192.0.2.7"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[fe80::1%25e0]", "fe80::1"],
  ["[v1.a]", undefined],
  ["256.1.1.1", undefined],
  ["08.1", undefined],
  ["1.2.3.4.5", undefined],
  ["4294967296", undefined],
  ["1..2", undefined],
  ["a.example", undefined],
  ["1.example", undefined],
])("%s is %s", (host, address) => expect(addressOf(host)).toBe(address));

it("is what the URL Standard makes of any number", () => {
  const number = fc
    .oneof(fc.nat(300), fc.nat(0xffffffff))
    .chain((value) => fc.constantFrom(`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`));
  const hosts = fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
  check(300, hosts, (host) => {
    const standard = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined;
    expect(addressOf(host), host).toBe(standard);
  });
});

it("is a field that --fields and --by name, and the host with the profile whatwg", async () => {
  const input = "http://0300.0.2.7/ http://[::ffff:192.0.2.7]/ http://a.example/";
  const { stdout } = await run(["-f", "csv", "--fields", "host,address", "--profile", "whatwg"], { input });
  expect(stdout.split("\r\n").slice(1, 4)).toEqual(["192.0.2.7,192.0.2.7", "[::ffff:c000:207],192.0.2.7", "a.example,"]);
  const { stdout: counts } = await run(["count", "--by", "address", "-f", "tsv"], { input });
  expect(counts).toContain("192.0.2.7\t2");
});
