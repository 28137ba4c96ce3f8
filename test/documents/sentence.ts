// The form of the cases of RFC 1738, and how the sentences of its text are found.

/** What urlmill makes of one input: normal forms of the matches (N), the normal form or null where refused, components and parts (P). */
export type Check =
  | { readonly extract: string; readonly gives: readonly string[] }
  | { readonly normalize: string; readonly gives: string | null }
  | {
      readonly parse: string;
      readonly gives: Readonly<Record<string, unknown>> | null;
      readonly parts?: Readonly<Record<string, unknown>>;
    };

/** A sentence of the document by section and opening words, and what follows from it. */
export interface Sentence {
  readonly section: string;
  readonly opens: string;
  readonly checks: readonly Check[];
}

/** A sentence from which nothing follows for a parser, and why. */
export interface ProseSentence {
  readonly section: string;
  readonly opens: string;
  readonly reason: string;
}

/** One sentence of the text, its white space as single spaces. */
export interface TextSentence {
  readonly section: string;
  readonly text: string;
}

/** A sentence that demands, allows, reserves or sets a default. */
const IS_RULE = /\b(?:must|may|reserved?|unsafe|optional(?:ly)?|defaults?)\b/i;

/** Whether a sentence needs a case or a reason. */
export function isRule(sentence: string): boolean {
  return IS_RULE.test(sentence);
}

/** The text without the foot and head of its pages; a paragraph that goes on over the border stays one. */
function withoutPageBreaks(text: string): string {
  return text.replace(/\n+[^\n]*\[Page \d+\]\s*\n\f?\s*RFC 1738 [^\n]*\n+( *[a-z])?/g, (_, goesOn?: string) =>
    goesOn === undefined ? "\n\n" : `\n${goesOn}`,
  );
}

/** The sentences of a text, their white space as single spaces; titles of one word are none. */
export function splitSentences(text: string): string[] {
  const sentences = text
    .trim()
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?]["')]*) (?=[A-Z"(<])/);
  return sentences.filter((sentence) => /\w.* .*\w/.test(sentence));
}

/** The sentences of sections 2 and 3 of RFC 1738; headings are none. */
export function sentencesOf(text: string): TextSentence[] {
  const pages = withoutPageBreaks(text);
  const sections = pages.slice(pages.indexOf("\n2. General"), pages.indexOf("\n4. REGISTRATION"));
  const found: TextSentence[] = [];
  let section = "";
  for (const paragraph of sections.split(/\n\s*\n/)) {
    const heading = /^\n*(\d(?:\.\d+)*)\.? +[A-Z]/.exec(paragraph);
    section = heading?.[1] ?? section;
    if (heading !== null) continue;
    found.push(...splitSentences(paragraph).map((sentence) => ({ section, text: sentence })));
  }
  return found;
}
