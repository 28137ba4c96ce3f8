// RFC 1738 sections 3.4 to 3.11, sentence by sentence: gopher, mailto, news, nntp, telnet, wais, file and prospero.
import type { Sentence } from "./sentence.ts";

const GOPHER: readonly Sentence[] = [
  {
    section: "3.4.1",
    opens: "If :<port> is omitted, the port defaults to 70",
    checks: [{ normalize: "gopher://host.example:70/1a", gives: "gopher://host.example/1a" }],
  },
  {
    section: "3.4.1",
    opens: "The entire <gopher-path> may also be empty",
    checks: [
      { normalize: "gopher://host.example", gives: "gopher://host.example/1" },
      { normalize: "gopher://host.example/", gives: "gopher://host.example/1" },
      { parse: "gopher://host.example", gives: { path: "" }, parts: { type: "1", selector: "" } },
    ],
  },
  {
    section: "3.4.1",
    opens: "In the Gopher protocol, Gopher selector strings are",
    checks: [
      { normalize: "gopher://host.example/0%01%7F", gives: "gopher://host.example/0%01%7F" },
      { parse: "gopher://host.example/0%01%7F", gives: { path: "/0%01%7F" }, parts: { type: "0", selector: "\u0001\u007f" } },
    ],
  },
  {
    section: "3.4.1",
    opens: "Within the <gopher-path>, no characters are reserved",
    checks: [
      { normalize: "gopher://host.example/0a;b?c:d@e=f&g/../h", gives: "gopher://host.example/0a;b?c:d@e=f&g/../h" },
      {
        parse: "gopher://host.example/0a;b?c:d@e=f&g/../h",
        gives: { host: "host.example" },
        parts: { selector: "a;b?c:d@e=f&g/../h" },
      },
    ],
  },
  {
    section: "3.4.1",
    opens: "Note that some Gopher <selector> strings begin with a copy",
    checks: [{ parse: "gopher://host.example/00/a", gives: { path: "/00/a" }, parts: { type: "0", selector: "0/a" } }],
  },
  {
    section: "3.4.1",
    opens: "The Gopher selector string may be an empty string",
    checks: [{ parse: "gopher://host.example/1", gives: { path: "/1" }, parts: { type: "1", selector: "", request: "\r\n" } }],
  },
  {
    section: "3.4.2",
    opens: "To submit a search to a Gopher search engine",
    checks: [
      {
        parse: "gopher://host.example/7find%09foo%20bar",
        gives: { path: "/7find%09foo%20bar" },
        parts: { type: "7", selector: "find", search: "foo bar", request: "find\tfoo bar\r\n" },
      },
      { normalize: "gopher://host.example/7find%09foo%20bar", gives: "gopher://host.example/7find%09foo%20bar" },
    ],
  },
  {
    section: "3.4.3",
    opens: "Note that in this case, the %09<search> string must be supplied",
    checks: [
      {
        parse: "gopher://host.example/0a%09%09+",
        gives: { path: "/0a%09%09+" },
        parts: { selector: "a", search: "", plus: "+", request: "a\t+\r\n" },
      },
      { parse: "gopher://host.example/0a%09+", gives: { path: "/0a%09+" }, parts: { selector: "a", search: "+", plus: null } },
    ],
  },
  {
    section: "3.4.3",
    opens: "Gopher+ items may have alternate views",
    checks: [
      { parse: "gopher://host.example/0a%09%09+text/plain", gives: { path: "/0a%09%09+text/plain" }, parts: { view: "text/plain" } },
      { parse: "gopher://host.example/0a%09%09!+INFO", gives: { path: "/0a%09%09!+INFO" }, parts: { attributes: ["+INFO"] } },
      {
        parse: "gopher://host.example/0a%09%09+%091%0D%0A+-1%0D%0AAnn%0D%0A.%0D%0A",
        gives: { path: "/0a%09%09+%091%0D%0A+-1%0D%0AAnn%0D%0A.%0D%0A" },
        parts: { ask: ["Ann"], request: "a\t+\t1\r\n+-1\r\nAnn\r\n.\r\n" },
      },
    ],
  },
  {
    section: "3.4.3",
    opens: "To retrieve the data associated with a Gopher+ URL",
    checks: [
      { parse: "gopher://host.example/7a%09b%09+", gives: { path: "/7a%09b%09+" }, parts: { request: "a\tb\t+\r\n" } },
      { normalize: "gopher://host.example/7a%09%09%2B", gives: "gopher://host.example/7a%09%09%2B" },
    ],
  },
  {
    section: "3.4.4",
    opens: 'A Gopher URL with a Gopher+ string consisting of only a "+"',
    checks: [
      { parse: "gopher://host.example/0a%09%09+", gives: { path: "/0a%09%09+" }, parts: { plus: "+", view: null } },
      { parse: "gopher://host.example/0a%09%09?", gives: { host: "host.example" }, parts: { plus: "?", request: "a\t?\r\n" } },
      { normalize: "gopher://host.example/0a%09%09?", gives: "gopher://host.example/0a%09%09?" },
    ],
  },
  {
    section: "3.4.8",
    opens: "Gopher+ allows for optional alternate data representations",
    checks: [
      {
        parse: "gopher://host.example/0a%09%09+application/postscript%20Es_ES",
        gives: { path: "/0a%09%09+application/postscript%20Es_ES" },
        parts: { view: "application/postscript", language: "Es_ES" },
      },
    ],
  },
];

const MAIL_AND_NEWS: readonly Sentence[] = [
  {
    section: "3.5",
    opens: "Within mailto URLs, there are no reserved characters",
    checks: [
      { extract: "to mailto:a;b:c/d=e@host.example now", gives: ["mailto:a;b:c/d=e@host.example"] },
      {
        parse: "mailto:a;b:c/d=e@host.example",
        gives: { path: "a;b:c/d=e@host.example", host: null },
        parts: { addresses: ["a;b:c/d=e@host.example"] },
      },
    ],
  },
  {
    section: "3.5",
    opens: 'Note that the percent sign ("%") is commonly used',
    checks: [
      {
        parse: "mailto:joe%25inner@host.example",
        gives: { path: "joe%25inner@host.example" },
        parts: { addresses: ["joe%inner@host.example"] },
      },
      { normalize: "mailto:joe%inner@host.example", gives: "mailto:joe%25inner@host.example" },
    ],
  },
  {
    section: "3.6",
    opens: "A message identifier may be distinguished",
    checks: [
      { parse: "news:1.2@host.example", gives: { path: "1.2@host.example" }, parts: { messageId: "1.2@host.example", group: null } },
      { parse: "news:comp.lang.c", gives: { path: "comp.lang.c" }, parts: { group: "comp.lang.c", messageId: null } },
    ],
  },
  {
    section: "3.6",
    opens: "No additional characters are reserved within",
    checks: [
      { extract: "in news:a;b/c:d&e=f@host.example it", gives: ["news:a;b/c:d&e=f@host.example"] },
      { parse: "news:a;b/c:d&e=f@host.example", gives: { query: null }, parts: { messageId: "a;b/c:d&e=f@host.example" } },
    ],
  },
  {
    section: "3.6",
    opens: 'If <newsgroup-name> is "*"',
    checks: [{ parse: "news:*", gives: { path: "*" }, parts: { all: true } }],
  },
  {
    section: "3.7",
    opens: "If :<port> is omitted, the port defaults to 119",
    checks: [
      { normalize: "nntp://host.example:119/comp.lang.c/1", gives: "nntp://host.example/comp.lang.c/1" },
      { parse: "nntp://host.example/comp.lang.c/1", gives: { port: null }, parts: { group: "comp.lang.c", article: 1 } },
    ],
  },
];

const SERVICES: readonly Sentence[] = [
  {
    section: "3.8",
    opens: "The Telnet URL scheme is used to designate interactive services that may",
    checks: [
      {
        parse: "telnet://joe:p%40w@host.example:2323/",
        gives: { userinfo: "joe:p%40w", host: "host.example", port: 2323, path: "/" },
        parts: { user: "joe", password: "p@w" },
      },
    ],
  },
  {
    section: "3.8",
    opens: 'The final "/" character may be omitted',
    checks: [
      { parse: "telnet://host.example", gives: { host: "host.example", path: "" } },
      { normalize: "telnet://host.example", gives: "telnet://host.example/" },
    ],
  },
  {
    section: "3.8",
    opens: "If :<port> is omitted, the port defaults to 23",
    checks: [{ normalize: "telnet://host.example:23", gives: "telnet://host.example/" }],
  },
  {
    section: "3.8",
    opens: "The :<password> can be omitted",
    checks: [
      { parse: "telnet://joe@host.example/", gives: { userinfo: "joe" }, parts: { user: "joe", password: null } },
      { parse: "telnet://host.example/", gives: { userinfo: null }, parts: { user: null, password: null } },
    ],
  },
  {
    section: "3.9",
    opens: "If :<port> is omitted, the port defaults to 210",
    checks: [
      { normalize: "wais://host.example:210/db", gives: "wais://host.example/db" },
      {
        parse: "wais://host.example/db?a%20b",
        gives: { port: null, path: "/db", query: "a%20b" },
        parts: { database: "db", search: "a b" },
      },
    ],
  },
  {
    section: "3.9",
    opens: "The WAIS document-id should be treated opaquely; it may only",
    checks: [
      { normalize: "wais://host.example/db/TEXT/a/../b;1=c", gives: "wais://host.example/db/TEXT/a/../b;1=c" },
      {
        parse: "wais://host.example/db/TEXT/a/../b",
        gives: { path: "/db/TEXT/a/../b" },
        parts: { database: "db", wtype: "TEXT", wpath: "a/../b" },
      },
    ],
  },
  {
    section: "3.10",
    opens: 'As a special case, <host> can be the string "localhost" or the empty string',
    checks: [
      { normalize: "file://localhost/etc/motd", gives: "file:///etc/motd" },
      { parse: "file:///etc/motd", gives: { host: "", path: "/etc/motd" }, parts: { segments: ["etc", "motd"] } },
    ],
  },
  {
    section: "3.11",
    opens: "If :<port> is omitted, the port defaults to 1525",
    checks: [{ normalize: "prospero://host.example:1525/a", gives: "prospero://host.example/a" }],
  },
  {
    section: "3.11",
    opens: 'The semicolon ";" is reserved and may not appear',
    checks: [
      { normalize: "prospero://host.example/a%3Bb;v=1", gives: "prospero://host.example/a%3Bb;v=1" },
      { parse: "prospero://host.example/a%3Bb;v=1", gives: { path: "/a%3Bb;v=1" }, parts: { hsoname: "a;b", fields: [["v", "1"]] } },
    ],
  },
  {
    section: "3.11",
    opens: 'Note that a slash "/" may appear in the <hsoname>',
    checks: [
      { parse: "prospero://host.example//pros/name", gives: { path: "//pros/name" }, parts: { hsoname: "/pros/name" } },
      { extract: "<URL:prospero://host.example//pros/name>", gives: ["prospero://host.example//pros/name"] },
    ],
  },
  {
    section: "3.11",
    opens: "Though slashes may indicate hierarchical structure on the server",
    checks: [{ normalize: "prospero://host.example/a/../b/./c", gives: "prospero://host.example/a/../b/./c" }],
  },
  {
    section: "3.11",
    opens: "In addition, after the <hsoname>, optional fields and values",
    checks: [
      {
        parse: "prospero://host.example/a;OBJECT-VERSION=2;k=x%3Dy",
        gives: { path: "/a;OBJECT-VERSION=2;k=x%3Dy" },
        parts: {
          hsoname: "a",
          fields: [
            ["OBJECT-VERSION", "2"],
            ["k", "x=y"],
          ],
        },
      },
      { parse: "prospero://host.example/a", gives: { path: "/a" }, parts: { hsoname: "a", fields: [] } },
    ],
  },
];

/** Sections 3.4 to 3.11, in the order of the document. */
export const SECTION_3_4: readonly Sentence[] = [...GOPHER, ...MAIL_AND_NEWS, ...SERVICES];
