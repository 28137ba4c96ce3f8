// The command `urlmill normalize [options] [url ...]`.
import { getUrlCore } from "../core/url-core.ts";
import { formOf, type UrlForm } from "../options/options.ts";
import { coreProfileNumber, makeNormalizer } from "../url/normalize.ts";
import { LineNormalizer } from "../url/normalize-lines.ts";
import { textOf } from "../url/text.ts";
import type { Arguments } from "./arguments.ts";
import { type AnswerLine, answerEach, lineArguments, readStdin, refusalsOf } from "./lines.ts";
import { Session } from "./session.ts";

const LINE_FEED = Buffer.from("\n");

export async function runNormalize(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const session = new Session();
  const { operands, options } = args;
  const form = formOf(options);
  const profile = coreProfileNumber(form);
  return await session.run(() => {
    if (profile !== undefined && operands.length === 0) return normalizeBatches(profile, options, session);
    return answerEach("normalize", args, answerOf(form, session), session, form.userinfo === "redact");
  });
}

/** Normalizes standard input in batches of lines that the core reads and writes, without a string for each. */
async function normalizeBatches(profile: number, options: Arguments["options"], session: Session): Promise<number> {
  const refusals = refusalsOf(session, options, false);
  const normalizer = new LineNormalizer(getUrlCore(), profile, {
    lines: (bytes) => session.output.write(Buffer.from(bytes)),
    refused: (line, reason, text) => refusals.add(line, reason, text),
  });
  for await (const chunk of readStdin("normalize", options.quiet, session)) {
    normalizer.write(chunk);
    await session.output.wait();
  }
  normalizer.end();
  return refusals.end();
}

function answerOf(form: UrlForm, session: Session): AnswerLine {
  const normalize = makeNormalizer(getUrlCore(), form);
  return (line) => {
    const result = normalize(textOf(line));
    if (result.ok) session.output.write(Buffer.from(result.url));
    session.output.write(LINE_FEED);
    return result.ok ? undefined : result.code;
  };
}
