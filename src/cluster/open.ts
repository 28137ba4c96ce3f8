// Opens local folders, and objects on servers. The modules for objects are loaded only for names of objects.
import { shown } from "../base/shown.ts";
import { ShardError } from "./errors.ts";
import type { Remote } from "./remote/remote.ts";
import type { Patience } from "./remote/tries.ts";
import { FolderStore, type Store } from "./store.ts";

/** Returns whether a name is that of an object, or of a prefix of S3, on a server. */
export function isRemote(name: string): boolean {
  return /^(?:https?|s3):\/\//i.test(name);
}

export async function openRemote(patience: Partial<Patience> | undefined): Promise<Remote> {
  const module = await import("./remote/remote.ts");
  return new module.Remote(patience);
}

/** Returns the store of results: a folder, or a prefix of S3. Rejects with ShardError for another server. */
export async function openStore(name: string, patience?: Partial<Patience>): Promise<Store> {
  if (/^https?:\/\//i.test(name))
    throw new ShardError("ERR_URLMILL_PLAN", `${shown(name)} takes no results; give a folder or s3://bucket/prefix/`);
  return isRemote(name) ? (await openRemote(patience)).store(name) : new FolderStore(name);
}
