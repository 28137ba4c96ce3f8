// Hosts that are not ASCII: the core decodes them, the platform's URL converts them to A-labels (N1, UTS 46).
import { LABELS_DISGUISED } from "#core/layout/codes.js";
import { HOST_REGION } from "#core/layout/memory.js";
import { remembering } from "../base/arrays.ts";

const KNOWN_HOSTS_MAX = 4096;
const KNOWN_HOST_LENGTH_MAX = 256;

/**
 * Longest decoded host that is not ASCII, in bytes; longer ones are refused. (A DNS name has at most 253 bytes in A-labels.) Platforms
 * differ in longer hosts, and some take quadratic time.
 */
const HOST_BYTES_MAX = 1024;

const decoder = new TextDecoder();

export function aLabelsIn(bytes: Uint8Array): (length: number) => number {
  return (length) => {
    const host = length > HOST_BYTES_MAX ? "" : decoder.decode(bytes.subarray(HOST_REGION, HOST_REGION + length));
    const labels = toALabels(host);
    for (let i = 0; i < labels.length; i++) bytes[HOST_REGION + i] = labels.charCodeAt(i);
    return labels !== "" && isDisguised(host) ? labels.length | LABELS_DISGUISED : labels.length;
  };
}

/** The full stops of Chinese and Japanese that UTS 46 maps to a dot, and characters that it removes. Joiners may stay. */
const MAPPED = /[\u3002\uff61]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;
const ASCII = /^[\0-\x7f]+$/;

/** Returns whether a character that is not ASCII stands for ASCII or for nothing: U+1D482 for a, U+00AD. (C272) */
function isDisguised(host: string): boolean {
  return MAPPED.test(host) || Array.from(host).some((character) => character > "\x7f" && ASCII.test(character.normalize("NFKC")));
}

/** Returns a host in A-labels, or "" if the platform's URL refuses the host. (N1) */
const toALabels = remembering(
  (host) => {
    try {
      return new URL(`http://${host}`).hostname;
    } catch {
      return "";
    }
  },
  KNOWN_HOSTS_MAX,
  KNOWN_HOST_LENGTH_MAX,
);
