// RFC 1738 section 2: the sentences that say what must, must not or may be, what is reserved, unsafe, optional or a default, and what
// follows for urlmill.
import type { Sentence } from "./sentence.ts";

/** Section 2, in the order of the document. */
export const SECTION_2: readonly Sentence[] = [
  {
    section: "2.1",
    opens: "A URL contains the name of the scheme being used",
    checks: [{ parse: "mailto:joe@host.example", gives: { scheme: "mailto", path: "joe@host.example", host: null } }],
  },
  {
    section: "2.1",
    opens: "The lower case letters",
    checks: [
      { extract: "<URL:a1+b-c.d:x>", gives: ["a1+b-c.d:x"] },
      { extract: "<URL:a_b:x>", gives: [] },
      { parse: "z39.50r://host.example/db?1", gives: { scheme: "z39.50r" }, parts: { databases: ["db"], docid: "1" } },
    ],
  },
  {
    section: "2.1",
    opens: "For resiliency, programs interpreting URLs should treat upper case",
    checks: [
      { extract: "see HTTP://host.example/ and Ftp://host.example/", gives: ["http://host.example/", "ftp://host.example/"] },
      { parse: "HTTP://host.example/", gives: { scheme: "http" } },
    ],
  },
  {
    section: "2.2",
    opens: "Within those parts, an octet may be represented by",
    checks: [{ parse: "ftp://host.example/dir/a", gives: { path: "/dir/a" }, parts: { cwd: ["dir"], name: "a" } }],
  },
  {
    section: "2.2",
    opens: "In addition, octets may be encoded by a character triplet",
    checks: [
      { parse: "ftp://host.example/a%20b", gives: { path: "/a%20b" }, parts: { name: "a b" } },
      { extract: "http://host.example/a%20b c", gives: ["http://host.example/a%20b"] },
    ],
  },
  {
    section: "2.2",
    opens: '(The characters "abcdef" may also be used',
    checks: [
      { normalize: "http://host.example/%c3%a9", gives: "http://host.example/%C3%A9" },
      { parse: "ftp://host.example/%2fetc", gives: { path: "/%2fetc" }, parts: { name: "/etc" } },
    ],
  },
  {
    section: "2.2",
    opens: "Octets must be encoded if they have no corresponding graphic",
    checks: [
      { normalize: "http://host.example/é b", gives: "http://host.example/%C3%A9%20b" },
      { normalize: "http://host.example/a%2Fb", gives: "http://host.example/a%2Fb" },
    ],
  },
  {
    section: "2.2",
    opens: "The octets 80-FF hexadecimal are not used",
    checks: [
      { normalize: "http://host.example/\u0001\u007fx", gives: "http://host.example/%01%7Fx" },
      { normalize: "http://host.example/\u0080\u00ff", gives: "http://host.example/%C2%80%C3%BF" },
      { extract: "http://host.example/a\u0001b http://host.example/c\u007fd", gives: ["http://host.example/a", "http://host.example/c"] },
    ],
  },
  {
    section: "2.2",
    opens: "Characters can be unsafe",
    checks: [{ extract: "http://host.example/a<b http://host.example/a`b", gives: ["http://host.example/a", "http://host.example/a"] }],
  },
  {
    section: "2.2",
    opens: "The space character is unsafe",
    checks: [
      { extract: "<URL:http://host.exa mple/a b>", gives: ["http://host.example/ab"] },
      { normalize: "http://host.example/a b", gives: "http://host.example/a%20b" },
    ],
  },
  {
    section: "2.2",
    opens: 'The characters "<" and ">" are unsafe',
    checks: [
      { extract: '<http://host.example/a>b "http://host.example/c"d', gives: ["http://host.example/a", "http://host.example/c"] },
      { normalize: 'http://host.example/<a>"', gives: "http://host.example/%3Ca%3E%22" },
    ],
  },
  {
    section: "2.2",
    opens: 'The character "#" is unsafe',
    checks: [
      { parse: "http://host.example/a#b", gives: { path: "/a", fragment: "b" } },
      { parse: "http://host.example/a%23b", gives: { path: "/a%23b", fragment: null } },
      { normalize: "http://host.example/a%23b", gives: "http://host.example/a%23b" },
    ],
  },
  {
    section: "2.2",
    opens: 'The character "%" is unsafe',
    checks: [
      { normalize: "http://host.example/100%", gives: "http://host.example/100%25" },
      { normalize: "http://host.example/%2541", gives: "http://host.example/%2541" },
    ],
  },
  {
    section: "2.2",
    opens: "Other characters are unsafe because gateways",
    checks: [{ normalize: "http://host.example/{}|\\^[]`", gives: "http://host.example/%7B%7D%7C%5C%5E%5B%5D%60" }],
  },
  {
    section: "2.2",
    opens: "All unsafe characters must always be encoded",
    checks: [
      { normalize: 'http://host.example/ <>"%{}|\\^[]`/', gives: "http://host.example/%20%3C%3E%22%25%7B%7D%7C%5C%5E%5B%5D%60/" },
      { normalize: 'http://host.example/?<>"%{}|\\^[]`/', gives: "http://host.example/?%3C%3E%22%25%7B%7D%7C%5C%5E%5B%5D%60/" },
    ],
  },
  {
    section: "2.2",
    opens: 'For example, the character "#" must be encoded within URLs even',
    checks: [
      { normalize: "mailto:a%23b@host.example", gives: "mailto:a%23b@host.example" },
      { parse: "gopher://host.example/0a%23b", gives: { path: "/0a%23b", fragment: null }, parts: { selector: "a#b" } },
    ],
  },
  {
    section: "2.2",
    opens: "Many URL schemes reserve certain characters",
    checks: [
      { parse: "ftp://host.example/a;type=i", gives: { path: "/a;type=i" }, parts: { name: "a", type: "i" } },
      { parse: "http://host.example/a;type=i?b", gives: { path: "/a;type=i", query: "b" }, parts: { searchpart: "b" } },
    ],
  },
  {
    section: "2.2",
    opens: "If the character corresponding to an octet is reserved in a scheme",
    checks: [
      { parse: "ftp://host.example/a%3Btype=i", gives: { path: "/a%3Btype=i" }, parts: { name: "a;type=i", type: null } },
      { normalize: "ftp://host.example/a%3Btype=i", gives: "ftp://host.example/a%3Btype=i" },
      { parse: "http://host.example/a%3Fb", gives: { path: "/a%3Fb", query: null }, parts: { searchpart: null } },
    ],
  },
  {
    section: "2.2",
    opens: 'The characters ";", "/", "?", ":", "@", "=" and "&" are the characters',
    checks: [
      { normalize: "http://host.example/%3B%2F%3F%3A%40%3D%26", gives: "http://host.example/%3B%2F%3F%3A%40%3D%26" },
      { normalize: "http://host.example/;/:@=&?;/?:@=&", gives: "http://host.example/;/:@=&?;/?:@=&" },
    ],
  },
  {
    section: "2.2",
    opens: "No other characters may be reserved",
    checks: [{ normalize: "http://host.example/%61%5A%39%2D%5F%2E", gives: "http://host.example/aZ9-_." }],
  },
  {
    section: "2.2",
    opens: "However, this is not true for reserved characters",
    checks: [
      { normalize: "http://host.example/a%2Fb", gives: "http://host.example/a%2Fb" },
      { normalize: "http://host.example/a/%2E%2E/b", gives: "http://host.example/b" },
      { normalize: "http://host.example/a%2F..%2Fb", gives: "http://host.example/a%2F..%2Fb" },
    ],
  },
  {
    section: "2.2",
    opens: "Thus, only alphanumerics, the special characters",
    checks: [
      { normalize: "http://host.example/aZ09$-_.+!*'(),;:@=&", gives: "http://host.example/aZ09$-_.+!*'(),;:@=&" },
      { extract: "http://host.example/aZ09$-_.+!*'(),;:@=&/? so", gives: ["http://host.example/aZ09$-_.+!*'(),;:@=&/"] },
    ],
  },
  {
    section: "2.2",
    opens: "On the other hand, characters that are not required to be encoded",
    checks: [
      { normalize: "ftp://host.example/%72%65%61%64%6D%65", gives: "ftp://host.example/readme" },
      { parse: "ftp://host.example/%72ead", gives: { path: "/%72ead" }, parts: { name: "read" } },
    ],
  },
  {
    section: "2.3",
    opens: "Some URL schemes (such as the ftp, http, and file schemes)",
    checks: [
      { normalize: "ftp://host.example/a/../b", gives: "ftp://host.example/b" },
      { normalize: "file:///a/./b", gives: "file:///a/b" },
      { normalize: "gopher://host.example/1a/../b", gives: "gopher://host.example/1a/../b" },
    ],
  },
];
