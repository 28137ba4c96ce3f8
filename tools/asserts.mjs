// The asserts of assembly/ are for the debug and the checked core: what is shipped is made of texts without them, so they cost nothing.

/** The text of a module of assembly/ without its asserts. */
export function withoutAsserts(text) {
  const rest = text.replace(/^ *assert\([^;]*;\n/gm, "");
  if (/^[^/*\n]*\bassert\(/m.test(rest)) throw new Error("an assert of assembly/ is a statement of its own");
  return rest;
}
