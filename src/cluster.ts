// The module `urlmill/cluster`: a run divided over many processes. Re-exports only.

export { ShardError, type ShardErrorCode } from "./cluster/errors.ts";
export type { ResultFile } from "./cluster/frames.ts";
export { type Marker, readMarker } from "./cluster/marker.ts";
export { type MergeFilesOptions, merge } from "./cluster/merge.ts";
export { openStore } from "./cluster/open.ts";
export { type PlanOptions, plan, SHARD_BYTES } from "./cluster/plan.ts";
export type { PlanEnd, PlanHeader, PlanLine, PlannedFile, Shard, ShardInput } from "./cluster/plan-file.ts";
export { PlanFile } from "./cluster/plan-file.ts";
export type { Patience } from "./cluster/remote/tries.ts";
export { type RunShardOptions, runShard } from "./cluster/shard.ts";
export { FolderStore, type Store, type StoredFile } from "./cluster/store.ts";
export { type Undone, type VerifyOptions, verify } from "./cluster/verify.ts";
