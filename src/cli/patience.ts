// How commands wait for servers and report outages.
import type { Patience } from "../cluster/remote/tries.ts";
import type { OptionValues } from "../options/table.ts";
import { note } from "./session.ts";

/** Returns the number of retries, and a function that reports an outage once for each server. */
export function patienceOf({ retries, quiet }: OptionValues): Partial<Patience> {
  const reported = new Set<string>();
  const onOutage = (object: string, message: string): void => {
    const server = /^\w+:\/\/[^/]*/.exec(object)?.[0] ?? object;
    if (!reported.has(server)) note(message);
    reported.add(server);
  };
  return { ...(retries === undefined ? {} : { retries }), ...(quiet ? {} : { onOutage }) };
}
