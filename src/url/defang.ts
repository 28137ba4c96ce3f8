// Defangs URLs, so that no program makes links of them, and refangs text (X15, N10).

const ANY_SEPARATOR = ":\\/\\/|:\\\\\\\\|\\[:\\]\\/\\/|\\[:\\/\\/\\]";
const SIDE = "[A-Za-z0-9\\x80-\\uffff]";
const NAME = new RegExp(`(?<![A-Za-z0-9])(?:hxxp(?=s?(?:${ANY_SEPARATOR}))|(?:fxp|meow)(?=${ANY_SEPARATOR}))`, "gi");
const SEPARATOR = /(?<=[A-Za-z0-9+])\[:(?:\]\/\/|\/\/\])|(?<=(?<![A-Za-z0-9])(?:https?|ftp)):\\\\/gi;
const DOT_MARK = new RegExp(`(?<=${SIDE})(?:\\[(?:\\.|dot|d0t)\\]|\\((?:\\.|dot)\\)|\\{\\.\\})(?=${SIDE})`, "gi");
const AT_MARK = new RegExp(`(?<=${SIDE})\\[(?:at|@)\\](?=${SIDE})`, "gi");
const COLON_MARK = new RegExp(`(?<=${SIDE})\\[:\\](?=[0-9])`, "g");

/** Replaces the names and marks of defanged text by what they stand for: `hxxp` by `http`, `[.]` by `.`. (X15) */
export function refanged(text: string): string {
  return text
    .replace(NAME, (name) => (name.toLowerCase() === "fxp" ? "ftp" : "http"))
    .replace(SEPARATOR, "://")
    .replace(DOT_MARK, ".")
    .replace(AT_MARK, "@")
    .replace(COLON_MARK, ":");
}

const DEFANGED_NAMES = new Map(Object.entries({ http: "hxxp", https: "hxxps", ftp: "fxp" }));
const START = /^([a-z][a-z0-9+.-]*):\/\//i;
const DOT = new RegExp(`(?<=${SIDE})\\.(?=${SIDE})`, "g");
const AT = new RegExp(`(?<=${SIDE})@(?=${SIDE})`, "g");
const INNER_SEPARATOR = /(?<=[A-Za-z0-9+]):\/\//g;

/** Defangs a URL, and the URLs inside it that are not percent-encoded. (N10) */
export function defanged(url: string): string {
  const [start = "", scheme = ""] = START.exec(url) ?? [];
  const name = DEFANGED_NAMES.get(scheme.toLowerCase());
  const rest = url.slice(start.length).replace(DOT, "[.]").replace(AT, "[@]").replace(INNER_SEPARATOR, "[:]//");
  if (start === "") return rest;
  return `${name === undefined ? `${scheme}[:]//` : `${name}://`}${rest}`;
}
