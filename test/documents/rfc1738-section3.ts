// RFC 1738 sections 3 to 3.3, sentence by sentence: the common syntax, ftp and http. The form is told in sentence.ts.
import type { Sentence } from "./sentence.ts";

const COMMON: readonly Sentence[] = [
  {
    section: "3",
    opens: "Other schemes may be specified by future",
    checks: [
      { extract: "<URL:later:thing> and x-lab://host.example/a", gives: ["later:thing", "x-lab://host.example/a"] },
      { extract: "later://host.example/a", gives: [] },
      { parse: "later://joe@host.example:1/a?b#c", gives: { scheme: "later", userinfo: "joe", host: "host.example", port: 1, path: "/a" } },
    ],
  },
  {
    section: "3",
    opens: "Section 4 of this document describes",
    checks: [
      { extract: "afs://cell.example/a mid:1@host.example", gives: ["afs://cell.example/a", "mid:1@host.example"] },
      { extract: "cid:2@host.example nfs://host.example/a", gives: ["cid:2@host.example", "nfs://host.example/a"] },
      { extract: "tn3270://host.example/ mailserver:serv@host.example", gives: ["tn3270://host.example/", "mailserver:serv@host.example"] },
      { extract: "z39.50r://host.example/db", gives: ["z39.50r://host.example/db"] },
    ],
  },
  {
    section: "3.1",
    opens: "While the syntax for the rest of the URL may vary",
    checks: [
      {
        parse: "ftp://joe:pw@host.example:2121/a/b",
        gives: { scheme: "ftp", userinfo: "joe:pw", host: "host.example", port: 2121, path: "/a/b" },
        parts: { user: "joe", password: "pw" },
      },
      { parse: "telnet://joe:pw@host.example:2323/", gives: { userinfo: "joe:pw", host: "host.example", port: 2323, path: "/" } },
      { parse: "wais://host.example:8001/db", gives: { userinfo: null, host: "host.example", port: 8001, path: "/db" } },
    ],
  },
  {
    section: "3.1",
    opens: "Some or all of the parts",
    checks: [
      { parse: "ftp://host.example", gives: { userinfo: null, host: "host.example", port: null, path: "" } },
      { parse: "ftp://joe@host.example", gives: { userinfo: "joe", port: null, path: "" }, parts: { user: "joe", password: null } },
      { parse: "ftp://host.example:2121", gives: { userinfo: null, port: 2121, path: "" } },
      { extract: "ftp://joe:pw@host.example:2121 to", gives: ["ftp://joe:pw@host.example:2121/"] },
    ],
  },
  {
    section: "3.1",
    opens: 'The scheme specific data start with a double slash "//"',
    checks: [
      { parse: "ftp:host.example/a", gives: null },
      { extract: "ftp:/host.example/a http:host.example", gives: [] },
    ],
  },
  {
    section: "3.1",
    opens: "user An optional user name",
    checks: [
      { parse: "ftp://host.example/", gives: { userinfo: null }, parts: { user: "anonymous" } },
      { parse: "ftp://joe@host.example/", gives: { userinfo: "joe" }, parts: { user: "joe" } },
    ],
  },
  {
    section: "3.1",
    opens: "password An optional password",
    checks: [
      { parse: "ftp://joe@host.example/", gives: { userinfo: "joe" }, parts: { password: null } },
      { parse: "ftp://joe:pw@host.example/", gives: { userinfo: "joe:pw" }, parts: { password: "pw" } },
    ],
  },
  {
    section: "3.1",
    opens: "Within the user and password field, any",
    checks: [
      {
        parse: "ftp://a%3Ab:c%40d%2Fe@host.example/",
        gives: { userinfo: "a%3Ab:c%40d%2Fe", host: "host.example" },
        parts: { user: "a:b", password: "c@d/e" },
      },
      { normalize: "ftp://a%3Ab:c%40d%2Fe@host.example/", gives: "ftp://a%3Ab:c%40d%2Fe@host.example/" },
      { normalize: "ftp://a@b@host.example/", gives: "ftp://a%40b@host.example/" },
      { parse: "ftp://a/b@host.example/", gives: { userinfo: null, host: "a", path: "/b@host.example/" } },
    ],
  },
  {
    section: "3.1",
    opens: "Note that an empty user name or password is different",
    checks: [
      { normalize: "ftp://@host.example/", gives: "ftp://@host.example/" },
      { normalize: "ftp://joe:@host.example/", gives: "ftp://joe:@host.example/" },
    ],
  },
  {
    section: "3.1",
    opens: "The rightmost domain label will never start with a digit",
    checks: [{ parse: "ftp://10.1.2.3/a", gives: { host: "10.1.2.3" }, parts: { flags: ["numeric-host"] } }],
  },
  {
    section: "3.1",
    opens: "Most schemes designate protocols that have a default port",
    checks: [
      { normalize: "telnet://host.example:23/", gives: "telnet://host.example/" },
      { normalize: "telnet://host.example:80/", gives: "telnet://host.example:80/" },
      { normalize: "file://host.example:21/a", gives: "file://host.example:21/a" },
    ],
  },
  {
    section: "3.1",
    opens: "Another port number may optionally be supplied",
    checks: [
      { parse: "http://host.example:8080/", gives: { host: "host.example", port: 8080 } },
      { normalize: "http://host.example:08080/", gives: "http://host.example:8080/" },
      { parse: "http://host.example:0x50/", gives: null },
    ],
  },
  {
    section: "3.1",
    opens: "If the port is omitted, the colon is as well",
    checks: [{ normalize: "http://host.example:/a", gives: "http://host.example/a" }],
  },
];

const FTP: readonly Sentence[] = [
  {
    section: "3.2",
    opens: "If :<port> is omitted, the port defaults to 21",
    checks: [
      { normalize: "ftp://host.example:21/a", gives: "ftp://host.example/a" },
      { parse: "ftp://host.example/a", gives: { port: null } },
    ],
  },
  {
    section: "3.2.1",
    opens: "A user name and password may be supplied",
    checks: [
      {
        parse: "ftp://joe:p%20w@host.example/a",
        gives: { userinfo: "joe:p%20w" },
        parts: { commands: ["USER joe", "PASS p w", "RETR a"] },
      },
    ],
  },
  {
    section: "3.2.1",
    opens: 'The user name "anonymous" is supplied',
    checks: [
      {
        parse: "ftp://host.example/a",
        gives: { userinfo: null },
        parts: { user: "anonymous", commands: ["USER anonymous", "PASS anonymous", "RETR a"] },
      },
    ],
  },
  {
    section: "3.2.2",
    opens: 'The part ";type=<typecode>" may be omitted',
    checks: [
      { parse: "ftp://host.example/a;type=i", gives: { path: "/a;type=i" }, parts: { name: "a", type: "i" } },
      { parse: "ftp://host.example/a", gives: { path: "/a" }, parts: { name: "a", type: null } },
    ],
  },
  {
    section: "3.2.2",
    opens: "The <cwdx> and <name> parts may be empty",
    checks: [
      { parse: "ftp://host.example//a/", gives: { path: "//a/" }, parts: { cwd: ["", "a"], name: "" } },
      { normalize: "ftp://host.example//a//", gives: "ftp://host.example//a//" },
    ],
  },
  {
    section: "3.2.2",
    opens: "The whole url-path may be omitted",
    checks: [
      { parse: "ftp://joe:pw@host.example:2121", gives: { host: "host.example", port: 2121, path: "" }, parts: { cwd: [], name: "" } },
      { normalize: "ftp://host.example", gives: "ftp://host.example/" },
    ],
  },
  {
    section: "3.2.2",
    opens: "Within a name or CWD component",
    checks: [
      {
        parse: "ftp://host.example/a%2Fb%3Bc/d;type=a",
        gives: { path: "/a%2Fb%3Bc/d;type=a" },
        parts: { cwd: ["a/b;c"], name: "d", type: "a" },
      },
      { normalize: "ftp://host.example/a%2fb%3bc", gives: "ftp://host.example/a%2Fb%3Bc" },
    ],
  },
  {
    section: "3.2.2",
    opens: "This has a different meaning from",
    checks: [
      { normalize: "ftp://joe@host.example/%2Fetc/motd", gives: "ftp://joe@host.example/%2Fetc/motd" },
      { normalize: "ftp://joe@host.example//etc/motd", gives: "ftp://joe@host.example//etc/motd" },
      { parse: "ftp://joe@host.example/etc/motd", gives: {}, parts: { commands: ["USER joe", "CWD etc", "RETR motd"] } },
    ],
  },
  {
    section: "3.2.3",
    opens: "The entire ;type=<typecode> part of a FTP URL is optional",
    checks: [
      { normalize: "ftp://host.example/a;TYPE=I", gives: "ftp://host.example/a;type=i" },
      { normalize: "ftp://host.example/a", gives: "ftp://host.example/a" },
    ],
  },
  {
    section: "3.2.3",
    opens: "If it is omitted, the client program interpreting the URL must guess",
    checks: [
      {
        parse: "ftp://joe:pw@host.example/a.txt",
        gives: { path: "/a.txt" },
        parts: { type: null, commands: ["USER joe", "PASS pw", "RETR a.txt"] },
      },
    ],
  },
];

const HTTP: readonly Sentence[] = [
  {
    section: "3.3",
    opens: "If :<port> is omitted, the port defaults to 80",
    checks: [
      { normalize: "http://host.example:80/a", gives: "http://host.example/a" },
      { parse: "http://host.example/a", gives: { port: null } },
    ],
  },
  {
    section: "3.3",
    opens: "No user name or password is allowed",
    checks: [{ parse: "http://joe@host.example/", gives: { userinfo: "joe", host: "host.example" }, parts: { flags: ["userinfo"] } }],
  },
  {
    section: "3.3",
    opens: "The <path> is optional, as is the <searchpart>",
    checks: [
      { parse: "http://host.example/?b", gives: { path: "/", query: "b" }, parts: { searchpart: "b" } },
      { parse: "http://host.example/a", gives: { path: "/a", query: null }, parts: { searchpart: null } },
      { parse: "http://host.example?b", gives: { path: "", query: "b" }, parts: { searchpart: "b" } },
    ],
  },
  {
    section: "3.3",
    opens: "If neither <path> nor <searchpart> is present",
    checks: [
      { normalize: "http://host.example", gives: "http://host.example/" },
      { extract: "see http://host.example.", gives: ["http://host.example/"] },
    ],
  },
  {
    section: "3.3",
    opens: "Within the <path> and <searchpart> components",
    checks: [
      { normalize: "http://host.example/a%2Fb%3Bc%3Fd?e%2Ff%3Bg%3Fh", gives: "http://host.example/a%2Fb%3Bc%3Fd?e%2Ff%3Bg%3Fh" },
      { parse: "http://host.example/a;b/c?d;e/f", gives: { path: "/a;b/c", query: "d;e/f" } },
    ],
  },
  {
    section: "3.3",
    opens: 'The "/" character may be used within HTTP',
    checks: [
      { normalize: "http://host.example/a/b/../c/./d", gives: "http://host.example/a/c/d" },
      { normalize: "http://host.example/a//b", gives: "http://host.example/a//b" },
    ],
  },
];

/** Sections 3 to 3.3, in the order of the document. */
export const SECTION_3: readonly Sentence[] = [...COMMON, ...FTP, ...HTTP];
