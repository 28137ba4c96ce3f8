// Cuts the inputs of a run into what workers scan at a time.
import { FORMAT_BYTES, fileFormatOf, isContainer } from "../../input/input-format.ts";
import { EVERYTHING, type ScanSettings } from "../../options/options.ts";
import { isRangeable, isReadByMessage } from "../../scanner/range.ts";
import { InputBytes } from "./input-bytes.ts";
import type { PageInput, PagePart } from "./messages.ts";

/** Bytes of a range of a large input. */
const RANGE_BYTES = 32 << 20;
/** Bytes of small inputs, and their number, that are scanned together. */
const GROUP_BYTES = 8 << 20;
const GROUP_INPUTS = 256;

/** Yields lists of parts: each list is for one worker. Together they are all of the inputs. */
export async function* planParts(inputs: readonly PageInput[], settings: ScanSettings): AsyncGenerator<readonly PagePart[]> {
  let group: PagePart[] = [];
  let bytes = 0;
  for (const input of inputs) {
    const isLarge = input.size > RANGE_BYTES;
    if (group.length > 0 && (isLarge || bytes + input.size > GROUP_BYTES || group.length === GROUP_INPUTS)) {
      yield group;
      group = [];
      bytes = 0;
    }
    if (isLarge) {
      for (const part of await cut(input, settings)) yield [part];
    } else {
      group.push({ input, ...EVERYTHING });
      bytes += input.size;
    }
  }
  if (group.length > 0) yield group;
}

async function cut(input: PageInput, settings: ScanSettings): Promise<PagePart[]> {
  const format = fileFormatOf(settings.type, await new InputBytes(input).load(0, FORMAT_BYTES));
  const byMessage = isReadByMessage(format, settings);
  if (isContainer(format) || !(byMessage || isRangeable(format, settings))) return [{ input, format, ...EVERYTHING }];
  const parts: PagePart[] = [];
  for (let from = 0; from < input.size; from += RANGE_BYTES) {
    const isLast = from + RANGE_BYTES >= input.size;
    parts.push({ input, format, byMessage, from, to: isLast ? EVERYTHING.to : from + RANGE_BYTES });
  }
  return parts;
}
