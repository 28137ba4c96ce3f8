// Finds the known name that a user may have misspelled.

/** Returns a known name that begins with `name`, else the nearest one within a few edits, else one that contains it, else undefined. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const meant = name.toLowerCase();
  const begun = meant.length < 2 ? undefined : known.find((one) => one.startsWith(meant));
  if (begun !== undefined) return begun;
  // A name of three to five letters may have one edit, a longer one two: two edits would make foo near ftp.
  const most = meant.length < 3 ? 0 : meant.length < 6 ? 1 : 2;
  const close = known.filter((one) => Math.abs(one.length - meant.length) <= most && editDistance(one, meant) <= most);
  const [found] = close.toSorted((one, other) => editDistance(one, meant) - editDistance(other, meant));
  // Three letters may be a part of a longer name: `ndjson` for `json`.
  return found ?? (meant.length < 3 ? undefined : known.find((one) => one.includes(meant)));
}

/** Returns the name that `nearest` finds, and others by their edits, three in all. */
export function nearestThree(name: string, known: readonly string[]): string[] {
  const edits = new Map(known.map((one) => [one, editDistance(one.toLowerCase(), name.toLowerCase())]));
  const first = nearest(name, known);
  if (first !== undefined) edits.set(first, -1);
  return [...edits].sort(([, one], [, other]) => one - other).flatMap(([near], index) => (index < 3 ? near : []));
}

/** Returns the number of edits that turn `a` into `b`: insert, delete or replace a letter, or swap two adjacent ones. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isExchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isExchanged ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
  }
  return at(a.length, b.length);
}

/** Returns `; did you mean NAME?` with the nearest known name, or an empty text if there is none. */
export function hint(name: unknown, known: readonly string[]): string {
  const near = typeof name === "string" ? nearest(name, known) : undefined;
  return near === undefined ? "" : `; did you mean ${near}?`;
}
