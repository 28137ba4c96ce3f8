// The parts of one URL.
import { type Core, getCore } from "../core/core.ts";
import { type GenericUrl, type ParseFailure, splitWith } from "./generic.ts";

/** A URL and its parts. @see docs/rules.md P */
export type ParsedUrl = GenericUrl;

/** Parses one URL with a given core. @see docs/rules.md P */
export function parseWith(core: Core, url: string): ParsedUrl | ParseFailure {
  return splitWith(core, url);
}

/** Parses one URL; a text that is none gives a result with a code and the byte offset. @see docs/rules.md P */
export function parse(url: string): ParsedUrl | ParseFailure {
  return parseWith(getCore(), url);
}
