/**
 * The known schemes of the rules (end of section X), as the oracle reads them.
 * One line a group: names, shape, whether the path is hierarchical; a default port comes after the name.
 */

/** How a known scheme is written: with an authority, without one, or either way (X2, X6). */
export type Shape = "//" | "opaque" | "both";

/** One row of the scheme table: shape, hierarchical or not (N4, N5), default port or null (N3, W). */
export interface SchemeRow {
  shape: Shape;
  hierarchical: boolean;
  port: number | null;
}

const GROUPS: [shape: Shape, hierarchical: boolean, names: string][] = [
  [
    "//",
    true,
    "ftp:21 http:80 https:443 ws:80 wss:443 ftps:990 sftp:22 tftp:69 ssh:22 shttp file afs nfs:2049 git:9418 git+ssh:22 git+https:443 " +
      "svn:3690 svn+ssh:22 rsync:873 irc:6667 ircs:6697 imap:143 imaps:993 pop:110 rtsp:554 rtsps:322 gemini:1965 dict:2628 " +
      "smb:445 webcal feed",
  ],
  [
    "//",
    false,
    "gopher:70 wais:210 prospero:1525 nntp:119 nntps:563 telnet:23 rlogin:513 tn3270:23 ldap:389 ldaps:636 s3 gs " +
      "z39.50r:210 z39.50s:210 whois++:63",
  ],
  ["both", false, "news:119 snews:563"],
  ["opaque", false, "mailto mid cid mailserver urn tel sip sips xmpp magnet"],
];

/** A scheme that a user adds (option `extraSchemes`). */
export interface AddedScheme {
  name: string;
  shape: "//" | "opaque";
  port?: number;
}

/** The known schemes by lower-case name (`x-*` is not among them), and what needs all their names. */
export interface Schemes {
  rows: ReadonlyMap<string, SchemeRow>;
  /** Names of schemes whose shape is one character: the opaque ones that a user has added (X6). */
  anyShape: ReadonlySet<string>;
  /** Source of a regular expression for a known scheme and `://`, to be used without regard to case (X3, X12). */
  slashed: string;
}

const BUILT_IN = GROUPS.flatMap(([shape, hierarchical, names]) =>
  names.split(" ").map((entry): [string, SchemeRow] => {
    const [name = "", port] = entry.split(":");
    return [name, { shape, hierarchical, port: port === undefined ? null : Number(port) }];
  }),
);

/** The known schemes with those that a user adds; one that is added takes the place of a built-in one (X1, X6). */
export function schemesWith(added: readonly AddedScheme[]): Schemes {
  const own = added.map(({ name, shape, port }): [string, SchemeRow] => {
    return [name.toLowerCase(), { shape, hierarchical: shape === "//", port: port ?? null }];
  });
  const rows = new Map([...BUILT_IN, ...own]);
  return {
    rows,
    anyShape: new Set(own.filter(([, row]) => row.shape === "opaque").map(([name]) => name)),
    slashed: `(?:${[...rows.keys()].map((name) => name.replace(/[+.]/g, "\\$&")).join("|")})://`,
  };
}

/** The schemes that are known without any option. */
export const KNOWN = schemesWith([]);

/** Whether a name, in any case, is that of a known scheme (X1 b, X2, X3). */
export function isKnown(schemes: Schemes, name: string): boolean {
  return schemes.rows.has(name.toLowerCase());
}

/** Whether a name is `x-` with something after it (X1 a). */
export function isExperimental(name: string): boolean {
  return /^x-./is.test(name);
}
