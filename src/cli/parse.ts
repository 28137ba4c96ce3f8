// The command `urlmill parse [url ...]`.
import { isUtf8 } from "node:buffer";
import { jsonText } from "../base/shown.ts";
import { getUrlCore } from "../core/url-core.ts";
import { parseWith } from "../url/parse.ts";
import type { ParsedUrl } from "../url/schemes/urls.ts";
import type { Arguments } from "./arguments.ts";
import { answerEach, lineArguments } from "./lines.ts";

export async function runParse(given: Arguments): Promise<number> {
  return await answerEach("parse", lineArguments(given), (input) => {
    const parsed = parseWith(getUrlCore(), input);
    const start = `{"input":${jsonText(input)},`;
    if (parsed.ok) return [start + partsOf(parsed)];
    const { code, offset } = parsed;
    return [`${start}"error":${JSON.stringify({ code, offset })}}`, code];
  });
}

/** Returns the members of a parsed URL as JSON, with the closing `}`, but without `{` and the first member `ok`. */
function partsOf(parsed: ParsedUrl): string {
  const plain = parsed.scheme === "gopher" ? Object.fromEntries(Object.entries(parsed).flatMap(memberOf)) : parsed;
  return jsonText(plain).slice('{"ok":true,'.length);
}

/** Returns a member for JSON: bytes in UTF-8 as text, others in hexadecimal as `NAME_hex`. `selectorBytes` in UTF-8 is `selector`. */
function memberOf([name, value]: [string, unknown]): [string, unknown][] {
  if (!(value instanceof Uint8Array)) return [[name, value]];
  const stem = name.replace(/Bytes$/, "");
  if (!isUtf8(value)) return [[`${stem}_hex`, Buffer.from(value).toString("hex")]];
  return stem === name ? [[name, Buffer.from(value).toString()]] : [];
}
