// How commands wait for servers, and say so.
import type { Patience } from "../cluster/remote/tries.ts";
import type { OptionValues } from "../option-table.ts";
import { note } from "./session.ts";

/** Returns how servers are waited for. */
export function patienceOf({ retries, quiet }: OptionValues): Partial<Patience> {
  return { ...(retries === undefined ? {} : { retries }), ...(quiet ? {} : { onOutage: note }) };
}
