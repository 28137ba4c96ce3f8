// Comments in structured header fields (RFC 5322 3.2.2).

/**
 * Returns a field's text with `mark` instead of each outermost comment, and the contents of these comments. Comments nest, and a backslash
 * in a comment quotes the next character. An unbalanced parenthesis is text. Nothing between `<` and `>`, or between `quote` and the next
 * `quote`, is a comment. (A10)
 */
export function takeComments(field: string, mark = " ", quote?: string): { text: string; comments: string[] } {
  if (!field.includes("(")) return { text: field, comments: [] };
  const open: number[] = [];
  const spans: { start: number; end: number }[] = [];
  let angle = field.indexOf("<");
  let quoted = 0;
  for (let at = 0; at < field.length; at++) {
    const character = field[at];
    if (character === "(") open.push(at);
    else if (character === "\\" && open.length > 0) at += 1;
    else if (character === quote && open.length === 0 && quoted >= 0) {
      quoted = field.indexOf(quote, at + 1);
      if (quoted > 0) at = quoted;
    } else if (character === "<" && open.length === 0 && angle >= 0) {
      angle = field.indexOf(">", at);
      if (angle > 0) at = angle;
    } else if (character === ")") {
      const start = open.pop();
      if (start === undefined) continue;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: at + 1 });
    }
  }
  let text = "";
  let end = 0;
  for (const span of spans) {
    text += field.slice(end, span.start) + mark;
    end = span.end;
  }
  return { text: text + field.slice(end), comments: spans.map((span) => field.slice(span.start + 1, span.end - 1)) };
}
