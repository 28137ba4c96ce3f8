// Hides the userinfo of the URLs in a text, also of URLs inside URLs.

const HIDDEN = "***";
/** A text without any of these has no userinfo. */
const POSSIBLE = /@|40|\[at\]|urldefense/i;
const DEFENSE = /urldefense/i;
/** The characters that end an authority, besides slashes. */
const ENDS = "?# \t\n\v\f\r";
const SCHEME_CHARACTER = /[a-z\d+.-]/i;

const PLAIN_SIGNS = [signsOf("%", "")];
/** The signs of URL Defense 3, where `*` may be an `@`, then those of version 2, where `-` is a percent sign too and `_` a slash. */
const DEFENSE_SIGNS = [signsOf("%", "*"), signsOf("[%-]", "_")];

/**
 * Returns a pattern of the signs that may begin, divide or end an authority. `percent` and `others` match further notations. A colon
 * includes the scheme before it if programs read that scheme without slashes too.
 */
function signsOf(percent: string, others: string): RegExp {
  const encoded = `${percent}(?:25)*`;
  const colon = `(https?|ftps?|wss?|sips?)?(:|${encoded}3a)`;
  return new RegExp(`file:/{3}|${colon}|${encoded}[\\da-f]{2}|\\[at\\]|[/\\\\?#&@\\t-\\r ${others}]`, "gi");
}

interface Authority {
  /** Offset after the slashes, or after the colon of a scheme without slashes. */
  readonly start: number;
  /** How often the slashes, or the colon, were percent-encoded. */
  readonly depth: number;
  /** Offset of the last slash before the authority, or of the first colon in it; -1 if there is neither yet. A userinfo needs one. */
  mark: number;
  /** Offset of the last `@` in the authority; -1 if there is none yet. */
  at: number;
}

/**
 * Returns a text with `***` for the userinfo of every URL: the text between the slashes before an authority and the last `@` in it, however
 * often these are percent-encoded. After some schemes a user and a password need no slashes: `sip:joe:pw@h`. (N10, C46)
 */
export function hideUserinfo(text: string): string {
  return hideSecrets(text, () => false);
}

/** As hideUserinfo, but leaves a userinfo for which `isShown` returns true. */
export function hideSecrets(text: string, isShown: (userinfo: string) => boolean): string {
  if (!POSSIBLE.test(text)) return text;
  return (DEFENSE.test(text) ? DEFENSE_SIGNS : PLAIN_SIGNS).reduce((hidden, signs) => hiddenIn(hidden, signs, isShown), text);
}

function hiddenIn(text: string, signs: RegExp, isShown: (userinfo: string) => boolean): string {
  let written = "";
  let copied = 0;
  let [signEnd, slashEnd, slashDepth, isInQuery] = [0, -1, 0, false];
  let authority: Authority | undefined;
  const close = (): void => {
    // Without slashes only a user and a password are hidden: `sip:joe@h.example` is an address.
    const isOpen = authority !== undefined && authority.at > authority.start && authority.mark >= 0 && authority.mark < authority.at;
    if (authority !== undefined && isOpen && !isShown(text.slice(authority.start, authority.at))) {
      written += text.slice(copied, authority.start) + HIDDEN;
      copied = authority.at;
    }
    authority = undefined;
  };
  for (const { 0: whole, 1: scheme, 2: colon, index } of text.matchAll(signs)) {
    const end = index + whole.length;
    const { character, depth } = decoded(colon ?? whole);
    if (character === "/") {
      const isPair = slashEnd === index;
      // A character that was encoded more often than the slashes is part of the authority.
      if (authority === undefined || depth <= authority.depth || (isPair && authority.mark < 0)) {
        close();
        if (isPair) authority = { start: end, depth: Math.max(depth, slashDepth), mark: index, at: -1 };
      }
      [slashEnd, slashDepth] = [end, depth];
    } else if (character === "@") {
      if (authority !== undefined) authority.at = index;
    } else if (character === ":") {
      if (authority !== undefined) authority.mark = authority.mark < 0 ? index : authority.mark;
      else if (scheme !== undefined && (index === signEnd || !SCHEME_CHARACTER.test(text.charAt(index - 1)))) {
        authority = { start: end, depth, mark: -1, at: -1 };
        [slashEnd, slashDepth] = [end, depth];
      }
    } else if (character === "&") {
      // Outside a query, `&` may be part of a password.
      if (depth === 0 && isInQuery) close();
    } else if (ENDS.includes(character)) {
      if (authority !== undefined && depth <= authority.depth) close();
      if (depth === 0) isInQuery = character === "?" || character === "#";
    }
    signEnd = end;
  }
  close();
  return written + text.slice(copied);
}

/** Returns the character that a sign stands for, `/` for a backslash, and how often it was percent-encoded. */
function decoded(sign: string): { character: string; depth: number } {
  if (sign === "_") return { character: "/", depth: 1 };
  if (sign === "*" || sign.startsWith("[")) return { character: "@", depth: 0 };
  const isEncoded = sign.startsWith("%") || sign.startsWith("-");
  const character = isEncoded ? String.fromCharCode(Number.parseInt(sign.slice(-2), 16)) : sign;
  return { character: character === "\\" ? "/" : character, depth: isEncoded ? (sign.length - 1) / 2 : 0 };
}
