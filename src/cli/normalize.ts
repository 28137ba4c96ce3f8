// The command `urlmill normalize [options] [url ...]`.
import { getCore } from "../core/core.ts";
import type { UrlForm } from "../options.ts";
import { coreProfileNumber, makeNormalizer } from "../url/normalize.ts";
import { LineNormalizer } from "../url/normalize-lines.ts";
import { textOf } from "../url/text.ts";
import type { NormalizeCommand } from "./arguments.ts";
import { type Answer, answerEach, Refusals, readStdin } from "./lines.ts";
import { Session } from "./session.ts";

const LINE_FEED = Buffer.from("\n");

/** Normalizes; returns the exit code. */
export async function runNormalize(command: NormalizeCommand): Promise<number> {
  const session = new Session(() => 1);
  return await session.run(
    () => normalizeAll(command, session),
    () => undefined,
  );
}

async function normalizeAll({ urls, form, quiet }: NormalizeCommand, session: Session): Promise<number> {
  const stdin = (): AsyncIterable<Uint8Array> => readStdin("normalize", quiet, session);
  const profile = coreProfileNumber(form);
  if (urls.length === 0 && profile !== undefined) return await normalizeBatches(profile, stdin(), session);
  return await answerEach(urls, answerOf(form, session), stdin, session, form.userinfo === "redact");
}

/** In batches, by the core alone. */
async function normalizeBatches(profile: number, chunks: AsyncIterable<Uint8Array>, session: Session): Promise<number> {
  const refusals = new Refusals(session, false);
  const normalizer = new LineNormalizer(getCore(), profile, {
    lines: (bytes) => session.output.write(Buffer.from(bytes)),
    refused: (line, reason, text) => refusals.add(line, reason, text),
  });
  for await (const chunk of chunks) {
    normalizer.write(chunk);
    await session.output.wait();
  }
  normalizer.end();
  return refusals.end();
}

/** Writes the normal form of a line, or an empty line. */
function answerOf(form: UrlForm, session: Session): Answer {
  const normalize = makeNormalizer(getCore(), form);
  return (line) => {
    const result = normalize(textOf(line));
    if (result.ok) session.output.write(Buffer.from(result.url));
    session.output.write(LINE_FEED);
    return result.ok ? undefined : result.code;
  };
}
