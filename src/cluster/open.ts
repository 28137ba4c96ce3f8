// What names stand for: files of this machine, or objects on servers. What reads and writes those is loaded when one is named.

import type { Remote } from "./remote/remote.ts";
import type { Patience } from "./remote/tries.ts";
import { FolderStore, type Store } from "./store.ts";

/** Returns whether a name is that of an object on a server. */
export function isRemote(name: string): boolean {
  return /^(?:https?|s3):\/\//i.test(name);
}

/** Returns how servers are waited for with the option `retries`. */
export function patienceOf({ retries }: { readonly retries: number | undefined }): Partial<Patience> {
  return retries === undefined ? {} : { retries };
}

/** Returns what opens objects on servers. */
export async function openRemote(patience: Partial<Patience> | undefined): Promise<Remote> {
  const module = await import("./remote/remote.ts");
  return new module.Remote(patience);
}

/** Returns the store of results: a folder, or a prefix of S3. */
export async function openStore(name: string, patience?: Partial<Patience>): Promise<Store> {
  return isRemote(name) ? (await openRemote(patience)).store(name) : new FolderStore(name);
}
