// Regular expressions that match letters of either case: V8's engine without backtracking has no flag for that.

/** An escape, the start of a group, or another character; the code of a character that is written as one. */
const TOKEN = /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|c[A-Za-z]|k<[^>]*>|.)|\(\?(?:<[^=!][^>]*>|<?.)|./gs;
const LETTER = /^[A-Za-z]$/;
/** What a lower-case letter has and an upper-case one has not. */
const CASE_BIT = 0x20;

/** Returns a pattern that matches what `pattern` does, with ASCII letters of either case. */
export function inAnyCase(pattern: string): string {
  const tokens = [...pattern.matchAll(TOKEN)];
  let written = "";
  for (let at = 0; at < tokens.length; at++) {
    const [text] = tokens[at] as RegExpExecArray;
    const letter = characterOf(tokens[at]);
    if (text === "[") {
      const end = tokens.findIndex((token, index) => index > at && token[0] === "]");
      written += inBrackets(tokens.slice(at + 1, end));
      at = end;
    } else written += letter !== undefined && LETTER.test(letter) ? `[${letter}${otherCase(letter)}]` : text;
  }
  return written;
}

/** Returns the class with the tokens between its brackets. */
function inBrackets(tokens: readonly RegExpExecArray[]): string {
  const isNegated = tokens[0]?.[0] === "^";
  let written = "";
  for (let at = isNegated ? 1 : 0; at < tokens.length; at++) {
    const [text] = tokens[at] as RegExpExecArray;
    const first = characterOf(tokens[at]);
    const last = tokens[at + 1]?.[0] === "-" ? characterOf(tokens[at + 2]) : undefined;
    if (first !== undefined && last !== undefined) {
      written += `${text}-${tokens[at + 2]?.[0]}${otherCaseRanges(first, last)}`;
      at += 2;
    } else if (first !== undefined && LETTER.test(first)) written += first + otherCase(first);
    // What comes beside a hyphen must not make a range of it.
    else written += text === "-" ? "\\-" : text;
  }
  return `[${isNegated ? "^" : ""}${written}]`;
}

/** Returns the letters of a range in the other case, as ranges. */
function otherCaseRanges(first: string, last: string): string {
  return (["AZ", "az"] as const)
    .map(([a, z]) => [first < a ? a : first, last > z ? z : last] as const)
    .map(([low, high]) => (low > high ? "" : `${otherCase(low)}-${otherCase(high)}`))
    .join("");
}

/** Returns the character that a token is; undefined for one that is something else. */
function characterOf(token: RegExpExecArray | undefined): string | undefined {
  const [text = "", byte, unit] = token ?? [];
  const code = byte ?? unit;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return text.length === 1 ? text : undefined;
}

function otherCase(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) ^ CASE_BIT);
}
