// From the names of objects to the files of a plan.
import type { FolderReading } from "../../input/folder-reading.ts";
import { FORMAT_BYTES, fileFormatOf, isContainer } from "../../input/input-format.ts";
import { EVERYTHING } from "../../options.ts";
import { cutText, type PlanOptions } from "../../threads/plan.ts";
import { checkSize, type PlannedFile, plannedPart, type ShardInput } from "../plan.ts";
import type { Remote } from "./remote.ts";

/** An object, or a part of one, or one that is left out. */
export interface PlannedObject {
  readonly input: ShardInput;
  /** It has a shard of its own. */
  readonly isLarge: boolean;
}

/** Yields the parts of what a name stands for, in their order. Rejects with RemoteError. */
export async function* planObjects(
  name: string,
  remote: Remote,
  folders: FolderReading,
  options: PlanOptions,
): AsyncGenerator<PlannedObject> {
  for await (const object of remote.list(name)) {
    const { size, version } = object;
    const below = object.name.slice(name.length).replace(/^\//, "");
    if (below !== "" && isLeftOut(below, folders)) {
      yield { input: { omitted: { reason: "excluded", source: object.name } }, isLarge: false };
      continue;
    }
    checkSize(object.name, size, options.rangeBytes);
    const isLarge = size > options.rangeBytes;
    const format = isLarge ? fileFormatOf(options.settings.type, await object.load(0, FORMAT_BYTES)) : undefined;
    if (object.failure !== undefined) throw object.failure;
    const parts = format === undefined || isContainer(format) ? [EVERYTHING] : cutText({ size, format }, options);
    for (const part of parts)
      yield { input: { uri: object.name, ...version, ...plannedPart({ format, ...part }) } satisfies PlannedFile, isLarge };
  }
}

/** Returns whether an object is left out as a file at this path below a folder would be. */
function isLeftOut(path: string, { includes, excludes }: FolderReading): boolean {
  let isIncluded = includes === undefined;
  for (const { index } of path.matchAll(/\/|$/g)) {
    const isFolder = index < path.length;
    if (excludes?.(path.slice(0, index), isFolder) === true) return true;
    isIncluded ||= includes?.(path.slice(0, index), isFolder) === true;
  }
  return !isIncluded;
}
