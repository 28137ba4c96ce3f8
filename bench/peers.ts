// A Node user's code without a package: regular expressions and `new URL()`.

/** Pattern of web addresses. */
export const HTTPS_PATTERN = "https?://\\S+";

/** Pattern of all schemes of the RFCs and of the usual later ones. ripgrep gets it too, with -i. */
export const ALL_SCHEMES_PATTERN =
  "\\b(?:(?:https?|ftps?|sftp|gopher|nntp|telnet|rlogin|tn3270|wais|file|prospero|afs|nfs|z39\\.50[rs]|wss?|ssh|git|svn|irc|ldaps?" +
  "|rtsp)://" +
  '|(?:mailto|news|mid|cid|urn|mailserver|sip|tel):)[^\\s<>"\\x60]+';

/** Returns the number of matches of a global pattern in a text. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns the number of texts that `new URL()` accepts. Reads the href of each. */
export function countHrefs(texts: readonly string[]): number {
  let n = 0;
  for (const text of texts) {
    try {
      if (new URL(text).href.length > 0) n++;
    } catch {
      // Refused: not counted.
    }
  }
  return n;
}
