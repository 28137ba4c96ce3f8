// Other ways to find URLs in a text: regular expressions, a walk with indexOf, packages. This is JavaScript, so that Node also runs it as a
// command: `node bench/finders.cjs FINDER FILE ... [--pattern P]` writes the URLs of the files, one a line.
const { closeSync, openSync, readSync, writeSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join, relative } = require("node:path");
const { pathToFileURL } = require("node:url");

/** Folder of the packages: not that of the project's own ones. */
const PEERS_FOLDER = join(__dirname, "../.peers");

/** Imports a package of PEERS_FOLDER. Rejects if it is not installed there: one in a folder above may have another version. */
async function importPeer(name) {
  const path = createRequire(join(PEERS_FOLDER, "package.json")).resolve(name);
  if (relative(PEERS_FOLDER, path).startsWith("..")) {
    throw Object.assign(new Error(`${name} is not installed in ${PEERS_FOLDER}`), { code: "MODULE_NOT_FOUND" });
  }
  return await import(pathToFileURL(path).href);
}

const AFTER_URL = /[\s<>"`]/g;

/** Finds each "://" with String.indexOf, then the start and the end of the URL around it. */
function walk(text) {
  const urls = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at)) {
    let start = at;
    while (start > 0 && isOfScheme(text.charCodeAt(start - 1))) start--;
    AFTER_URL.lastIndex = at + 3;
    const end = AFTER_URL.exec(text)?.index ?? text.length;
    if (start < at && end > at + 3) urls.push(text.slice(start, end));
    at = end;
  }
  return urls;
}

function isOfScheme(code) {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e;
}

const regexOf = (pattern) => {
  const regex = new RegExp(pattern, "gi");
  return (text) => text.match(regex) ?? [];
};

// Each returns a function that finds the URLs of a text.
const FINDERS = {
  regex: async (pattern) => regexOf(pattern),
  indexOf: async () => walk,
  "linkify-it": async () => {
    const { LinkifyIt } = await importPeer("linkify-it");
    const linkify = new LinkifyIt();
    return (text) => (linkify.match(text) ?? []).map(({ url }) => url);
  },
  linkifyjs: async () => {
    const { find } = await importPeer("linkifyjs");
    return (text) => find(text, "url").map(({ href }) => href);
  },
  "get-urls": async () => {
    const { default: getUrls } = await importPeer("get-urls");
    return (text) => [...getUrls(text)];
  },
  re2: async (pattern) => {
    const { default: RE2 } = await importPeer("re2");
    const regex = new RE2(pattern, "gi");
    return (text) => text.match(regex) ?? [];
  },
};

/** Returns a function that finds the URLs of a text. Rejects if the finder's package is not installed. */
function makeFinder(name, pattern) {
  return FINDERS[name](pattern);
}

/** Writes the URLs of a file. Reads pieces of 64 MiB that end with a line feed, because a string of V8 has at most half a GiB. */
function findInFile(find, path) {
  const file = openSync(path, "r");
  const piece = Buffer.alloc(64 << 20);
  let position = 0;
  for (;;) {
    const read = readSync(file, piece, 0, piece.length, position);
    if (read === 0) break;
    const end = read < piece.length ? read : piece.lastIndexOf(10) + 1 || read;
    const lines = find(piece.latin1Slice(0, end)).map((url) => `${url}\n`);
    writeSync(1, lines.join(""));
    position += end;
  }
  closeSync(file);
}

async function main(args) {
  const at = args.indexOf("--pattern");
  const [name, ...paths] = at < 0 ? args : args.slice(0, at);
  const find = await makeFinder(name, args[at + 1]);
  for (const path of paths) findInFile(find, path);
}

module.exports = { PEERS_FOLDER, makeFinder };

if (require.main === module) main(process.argv.slice(2));
