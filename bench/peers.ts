// What a Node user would write without a package: regular expressions and `new URL()`.

/** Web addresses and nothing else. */
export const HTTPS_PATTERN = "https?://\\S+";

/** All schemes of the documents and the usual later ones; also given to ripgrep, with -i. */
export const ALL_SCHEMES_PATTERN =
  "\\b(?:(?:https?|ftps?|sftp|gopher|nntp|telnet|rlogin|tn3270|wais|file|prospero|afs|nfs|z39\\.50[rs]|wss?|ssh|git|svn|irc|ldaps?" +
  "|rtsp)://" +
  '|(?:mailto|news|mid|cid|urn|mailserver|sip|tel):)[^\\s<>"\\x60]+';

/** Number of matches of a global pattern in a text. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Number of texts that `new URL()` takes, the href of each read. */
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
