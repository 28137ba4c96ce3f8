// The command `urlmill normalize [options] [url ...]`.
import { getUrlCore } from "../core/url-core.ts";
import { formOf } from "../options/options.ts";
import { coreProfileNumber, makeNormalizer, type Normalizer } from "../url/normalize.ts";
import { LineNormalizer } from "../url/normalize-lines.ts";
import type { Arguments } from "./arguments.ts";
import { answerEach, lineArguments, readStdin, refusalsOf } from "./lines.ts";
import { inSession, type Session } from "./session.ts";

export async function runNormalize(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const { operands, options } = args;
  const form = formOf(options);
  const profile = coreProfileNumber(form);
  if (profile !== undefined && operands.length === 0) return await inSession((session) => normalizeBatches(profile, options, session));
  let normalize: Normalizer | undefined;
  const answer = (input: string): [url: string, refusal?: string] => {
    normalize ??= makeNormalizer(getUrlCore(), form);
    const result = normalize(input);
    return result.ok ? [result.url] : ["", result.code];
  };
  return await answerEach("normalize", args, answer, form.userinfo === "redact");
}

/** Normalizes standard input in batches of lines that the core reads and writes, without a string for each. */
async function normalizeBatches(profile: number, options: Arguments["options"], session: Session): Promise<number> {
  const refusals = refusalsOf(session, options, false);
  const normalizer = new LineNormalizer(getUrlCore(), profile, {
    lines: (bytes) => session.output.write(Buffer.from(bytes)),
    refused: (line, reason, text) => refusals.add(line, reason, text),
  });
  for await (const chunk of readStdin("normalize", options.quiet, session.signal)) {
    normalizer.write(chunk);
    await session.output.wait();
  }
  normalizer.end();
  return refusals.end();
}
