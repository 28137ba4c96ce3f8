// The command `urlmill resolve --base URL [reference ...]`.
import { getCore } from "../core/core.ts";
import { resolveWith } from "../url/resolve.ts";
import { textOf } from "../url/text.ts";
import type { ResolveCommand } from "./arguments.ts";
import { answerEach, readStdin } from "./lines.ts";
import { Session } from "./session.ts";

/** Resolves; returns the exit code. */
export async function runResolve({ references, base, quiet }: ResolveCommand): Promise<number> {
  const session = new Session(1);
  const core = getCore();
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
