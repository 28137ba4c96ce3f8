// The command `urlmill resolve --base URL [reference ...]`.
import { getCore } from "../core/core.ts";
import { resolveWith } from "../url/resolve.ts";
import { textOf } from "../url/text.ts";
import { type ResolveCommand, UsageError } from "./arguments.ts";
import { answerEach, readStdin } from "./lines.ts";
import { Session } from "./session.ts";

/** Resolves; returns the exit code. Throws UsageError for a base that is no URL. */
export async function runResolve({ references, base, quiet }: ResolveCommand): Promise<number> {
  const core = getCore();
  // The base by itself: said once, not of every reference.
  const own = resolveWith(core, base, "");
  if (!own.ok) throw new UsageError(`--base must be a URL, not ${JSON.stringify(base)}: ${own.code}`);
  const session = new Session(() => 1);
  const answer = (line: Buffer): string | undefined => {
    const result = resolveWith(core, base, textOf(line));
    session.output.write(Buffer.from(result.ok ? `${result.url}\n` : "\n"));
    return result.ok ? undefined : result.code;
  };
  return await session.run(
    () => answerEach(references, answer, () => readStdin("resolve", quiet, session), session),
    () => undefined,
  );
}
