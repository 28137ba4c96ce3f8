// The command `urlmill parse [url ...]`.
import { isUtf8 } from "node:buffer";
import { jsonText } from "../base/shown.ts";
import { getUrlCore } from "../core/url-core.ts";
import type { ParseFailure } from "../url/core-url.ts";
import { parseWith } from "../url/parse.ts";
import type { ParsedUrl } from "../url/schemes/all.ts";
import { textOf } from "../url/text.ts";
import type { Arguments } from "./arguments.ts";
import { answerEach, lineArguments } from "./lines.ts";
import { Session } from "./session.ts";

export async function runParse(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const session = new Session();
  const core = getUrlCore();
  const answer = (line: Buffer): string | undefined => {
    const input = textOf(line);
    const parsed = parseWith(core, input);
    session.output.write(Buffer.from(`{"input":${jsonText(input)},${parsed.ok ? partsOf(parsed) : errorOf(parsed)}\n`));
    return parsed.ok ? undefined : parsed.code;
  };
  return await session.run(() => answerEach("parse", args, answer, session));
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

function errorOf({ code, offset }: ParseFailure): string {
  return `"error":${JSON.stringify({ code, offset })}}`;
}
