// The command `urlmill verify --plan FILE FOLDER`.
import { openStore } from "../cluster/open.ts";
import { PlanFile } from "../cluster/plan-file.ts";
import { verify } from "../cluster/verify.ts";
import type { Arguments } from "./arguments.ts";
import { checkFolder, patienceOf, planAndFolder } from "./cluster-commands.ts";
import { countText } from "./progress-text.ts";
import { complain, complaintsOf, EXIT_ERROR, EXIT_FOUND, EXIT_NOTHING, inSession, note } from "./session.ts";

export async function runVerify(args: Arguments): Promise<number> {
  const { path, folder } = planAndFolder("verify", args);
  checkFolder(folder);
  const { options } = args;
  const { hash, quiet } = options;
  return await inSession(async ({ output, write, signal }) => {
    const plan = await PlanFile.open(path);
    const { shards } = await plan.end();
    const store = await openStore(folder, patienceOf(options));
    const complaints = complaintsOf((count) => `${countText(count, "more shard")} of this kind`);
    const counts = { missing: 0, damaged: 0, changed: 0, other: 0 };
    for await (const { id, reason, message } of verify(plan, store, { hash, signal })) {
      counts[reason]++;
      if (reason !== "missing") complaints.add(() => message);
      if (reason === "missing" || reason === "damaged") write(`${id}\n`);
      await output.wait();
    }
    complaints.end();
    const { missing, damaged, changed, other: others } = counts;
    const undone = missing + damaged + changed + others;
    const afterChange = changed === 0 ? "" : `, ${changed} whose inputs have changed`;
    const rest = undone === 0 ? "" : `; ${countText(missing + damaged, "shard")} to be run${afterChange}`;
    if (!quiet) note(`${shards - undone} of ${countText(shards, "shard")} done${rest}`);
    if (others > 0) {
      complain(`${countText(others, "marker")} of another plan: give each plan a folder of its own, or remove them (docs/scale.md)`);
      return EXIT_ERROR;
    }
    return undone === 0 ? EXIT_FOUND : EXIT_NOTHING;
  });
}
