/**
 * URLs of redirectors that a line break cut (C142), by the table of docs/unwrap.md. The URL inside is not read here.
 */

/** A host, and the path: `*` is one segment, `...` anything. */
const TABLE: readonly (readonly [host: RegExp, ...paths: string[]])[] = [
  [/(?:^|\.)safelinks\.protection\.(?:outlook\.com|office365\.us)$/, "..."],
  [/^urldefense\.(?:com|us|proofpoint\.com)$/, "/v1/url", "/v2/url", "/v3/__..."],
  [/^secure-web\.cisco\.com$/, "/*/*"],
  [/^linkprotect\.cudasvc\.com$/, "/url"],
  [/^clicktime\.symantec\.com$/, "..."],
  [/(?:^|\.)awstrack\.me$/, "/L0/*/..."],
  [/^(?:www\.)?google\.(?:com|be|de|co\.uk)$/, "/url"],
  [/^(?:www\.|m\.)?youtube\.com$/, "/redirect"],
  [/^(?:www\.)?bing\.com$/, "/ck/a"],
  [/^(?:html\.)?duckduckgo\.com$/, "/l", "/l/"],
  [/^(?:(?:www|m|l|lm)\.)?facebook\.com$/, "/l.php"],
  [/^l\.messenger\.com$/, "/l.php"],
  [/^l\.instagram\.com$/, "/"],
  [/^(?:www\.)?linkedin\.com$/, "/redir/redirect", "/redir/redirect/", "/safety/go", "/safety/go/"],
  [/^out\.reddit\.com$/, "..."],
  [/^slack-redir\.net$/, "/link"],
  [/^t\.umblr\.com$/, "/redirect"],
  [/^(?:(?:www|m|away)\.)?vk\.com$/, "/away.php"],
];

const URL_PARTS = /^https?:\/\/(?:[^@/?#]*@)?([^:/?#]*)(?::[0-9]*)?([^?#]*)([?#]?)/;

/** What a path is made of, one regular expression after the other. */
function unitsOf(path: string): string[] {
  return (path.match(/\.\.\.|./g) ?? []).map((unit) => {
    return unit === "..." ? ".*" : unit === "*" ? "[^/]+" : unit === "." ? "\\." : unit;
  });
}

/** Matches the units, or as many of them as there are. */
function beginningOf([unit, ...rest]: readonly string[]): string {
  return unit === undefined ? "" : `(?:${unit}${beginningOf(rest)})?`;
}

/** C142: whether a cut URL, in normal form, is a redirector's: by its path, or by what the line break left of it. */
export function isCutRedirector(url: string): boolean {
  const [, host, path = "", sign = ""] = URL_PARTS.exec(url) ?? [];
  if (host === undefined) {
    return false;
  }
  const paths = TABLE.filter(([hosts]) => hosts.test(host)).flatMap(([, ...paths]) => paths.map(unitsOf));
  return paths.some((units) => {
    const isWhole = new RegExp(`^${units.join("")}$`, "s").test(path);
    const mayBegin = sign === "" && path !== "/";
    return isWhole || (mayBegin && new RegExp(`^${beginningOf(units)}$`, "s").test(path));
  });
}

/** C206: whether a URL is one of URL Defense 3, in which nothing is nested. */
export function isMarkedRedirector(url: string): boolean {
  return /^https?:\/\/urldefense\.(?:com|us|proofpoint\.com)(?::[0-9]*)?\/v3\/__/i.test(url);
}
