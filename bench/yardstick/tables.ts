// Byte classes and schemes of the yardstick. Frozen with it: see ../yardstick.ts.

export const SCHEME = 1; // ALPHA DIGIT + - .
export const HOST = 2; // ALPHA DIGIT - . _
export const USERINFO = 4; // what may stand before an @
export const LOOK = 8; // the end loop has to look at it
export const TRAIL = 16; // may go off the end
export const OPAQUE_LAST = 32; // last byte of an opaque scheme's name
export const ALPHA = 64;
export const DIGIT = 128;
export const UNRESERVED = 256;
export const PATH = 512; // stands in a path as it is
export const QUERY = 1024; // stands in a query or fragment as it is
export const HARD = 2048; // ends a match (X3, first sentence)
export const HEX = 4096;
export const CLASS = new Uint16Array(256);
export const LOWER = new Uint8Array(256);

function setClass(characters: string, bits: number): void {
  for (let i = 0; i < characters.length; i++) CLASS[characters.charCodeAt(i)] |= bits;
}
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
setClass(letters, SCHEME | HOST | USERINFO | ALPHA | UNRESERVED | PATH | QUERY);
setClass("0123456789", SCHEME | HOST | USERINFO | DIGIT | UNRESERVED | PATH | QUERY);
setClass("0123456789abcdefABCDEF", HEX);
setClass("+-.", SCHEME);
setClass("-._", HOST);
setClass("-._~", USERINFO | UNRESERVED | PATH | QUERY);
setClass("!$&'()*+,;=:", USERINFO | PATH | QUERY);
setClass("@/", PATH | QUERY);
setClass("?", QUERY);
setClass("%", USERINFO);
setClass("()[]{}',;|&", LOOK);
setClass(".,:;!?'([{*_~-", TRAIL);
setClass("odsrnlptODSRNLPT", OPAQUE_LAST);
setClass('"<>`\\\x7f', HARD | LOOK);
for (let i = 0; i < 256; i++) {
  if (i <= 32) CLASS[i] |= HARD | LOOK;
  if (i >= 128) CLASS[i] |= LOOK | USERINFO;
  LOWER[i] = i >= 65 && i <= 90 ? i + 32 : i;
}

const SLASHES =
  "http https ftp gopher nntp telnet rlogin tn3270 wais file prospero afs nfs z39.50r z39.50s whois++ ws wss ftps sftp tftp ssh shttp " +
  "nntps git git+ssh git+https svn svn+ssh rsync irc ircs ldap ldaps imap imaps pop rtsp rtsps gemini dict smb webcal feed s3 gs";
export const NAMES = [...SLASHES.split(" "), "x-", ..."news snews mailto mid cid mailserver urn tel sip sips xmpp magnet".split(" ")];
const DEFAULT_PORTS: Record<string, number> = {
  ...{ http: 80, https: 443, ftp: 21, gopher: 70, nntp: 119, telnet: 23, rlogin: 513, tn3270: 23, wais: 210, prospero: 1525, nfs: 2049 },
  ...{ "z39.50r": 210, "z39.50s": 210, "whois++": 63, ws: 80, wss: 443, ftps: 990, sftp: 22, tftp: 69, ssh: 22, nntps: 563, git: 9418 },
  ...{ "git+ssh": 22, "git+https": 443, svn: 3690, "svn+ssh": 22, rsync: 873, irc: 6667, ircs: 6697, ldap: 389, ldaps: 636, imap: 143 },
  ...{ imaps: 993, pop: 110, rtsp: 554, rtsps: 322, gemini: 1965, dict: 2628, smb: 445, news: 119, snews: 563 },
};
const FLAT = "gopher wais prospero nntp nntps telnet rlogin tn3270 ldap ldaps s3 gs z39.50r z39.50s whois++ news snews".split(" ");
const row = (name: string): number => NAMES.indexOf(name);
export const HTTP = row("http");
export const HTTPS = row("https");
export const FTP = row("ftp");
export const GOPHER = row("gopher");
export const FILE = row("file");
export const X_SCHEME = row("x-");
export const NEWS = row("news"); // from here on no // is needed
export const SNEWS = row("snews");
export const MAILTO = row("mailto"); // from here on there is no authority
export const URN = row("urn");
export const TEL = row("tel");
export const SIP = row("sip");
export const XMPP = row("xmpp");
export const MAGNET = row("magnet");
export const LOGIN = ["telnet", "rlogin", "tn3270"].map(row);
export const HTTP_LIKE = ["http", "https", "ws", "wss"].map(row);

export const NAME_MAX = 10;
export const PORTS = new Int32Array(NAMES.length);
export const TREE = new Uint8Array(NAMES.length); // has segments (N4, N5)
export const HASHES = new Int32Array(NAMES.length);
export const SLOTS = new Int16Array(4096).fill(-1);
for (let i = 0; i < NAMES.length; i++) {
  const name = NAMES[i] ?? "";
  let hash = 0;
  for (let k = name.length - 1; k >= 0; k--) hash = (Math.imul(hash, 131) + name.charCodeAt(k)) | 0;
  const slot = (hash ^ (hash >>> 12)) & 4095;
  if (SLOTS[slot] !== -1) throw new Error(`scheme names ${name} and ${NAMES[SLOTS[slot] ?? 0]} share a slot`);
  SLOTS[slot] = i;
  HASHES[i] = hash;
  PORTS[i] = DEFAULT_PORTS[name] ?? -1;
  TREE[i] = i < MAILTO && !FLAT.includes(name) ? 1 : 0;
}
