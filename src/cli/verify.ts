// The command `urlmill verify --plan FILE FOLDER`.
import { statSync } from "node:fs";
import { isRemote, openStore } from "../cluster/open.ts";
import { PlanFile } from "../cluster/plan-file.ts";
import { verify, verifyReduces } from "../cluster/verify.ts";
import { shown } from "../shown.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { patienceOf } from "./patience.ts";
import { countText } from "./progress-text.ts";
import { Complaints, EXIT_FOUND, EXIT_NOTHING, note, Session } from "./session.ts";

/** Runs `urlmill verify`; returns the exit code. Throws UsageError. */
export async function runVerify({ options, operands }: Arguments): Promise<number> {
  const { plan: path, hash, quiet } = options;
  const [folder, other] = operands;
  if (path === undefined) throw new UsageError("verify needs --plan FILE");
  if (folder === undefined || other !== undefined) throw new UsageError("verify needs the folder of the results, and nothing else");
  if (!isRemote(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`there is no folder ${shown(folder)}: run-shard makes it, or mkdir`);
  const session = new Session();
  return await session.run(async () => {
    const plan = await PlanFile.open(path);
    const { shards } = await plan.end();
    const store = await openStore(folder, patienceOf(options));
    const how = { hash, signal: session.signal };
    const complaints = new Complaints((count) => `${countText(count, "more shard")} of this kind`);
    const reduces = new Complaints((count) => countText(count, "more partition"));
    let [undone, changed, unreduced] = [0, 0, 0];
    for await (const { id, reason, message } of verify(plan, store, how)) {
      undone++;
      if (reason !== "missing") complaints.add(() => message);
      if (reason === "changed") changed++;
      else session.output.write(Buffer.from(`${id}\n`));
      await session.output.wait();
    }
    for await (const message of verifyReduces(plan, store, how)) {
      unreduced++;
      reduces.add(() => message);
    }
    complaints.end();
    reduces.end();
    const again = `${countText(undone - changed, "shard")} to be run${changed === 0 ? "" : `, ${changed} whose inputs have changed`}`;
    const unfinished = unreduced === 0 ? "" : `; ${countText(unreduced, "partition")} to be reduced`;
    if (!quiet) note(`${shards - undone} of ${countText(shards, "shard")} done${undone === 0 ? "" : `; ${again}`}${unfinished}`);
    return undone + unreduced === 0 ? EXIT_FOUND : EXIT_NOTHING;
  });
}
