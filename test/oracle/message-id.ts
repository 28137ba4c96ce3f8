/**
 * Header fields that hold what looks like an address: message ids (X10, C97), and the IP addresses of Received (C98).
 */

const ID_FIELD = /^[> ]*(?:[A-Za-z0-9_+-]*-)?(?:message-id|in-reply-to|references|content-id|msg-id|supersedes):/i;

function startsField(bytes: string, at: number): boolean {
  return at === 0 || (bytes[at - 1] === "\n" && !/[ \t]/.test(bytes.charAt(at)));
}

const RECEIVED = /^[> ]*(?:[A-Za-z0-9_+-]*-)?received:/i;

/** The text of a field before an offset, or null: none starts at most `urlBytesMax` bytes before it. */
function fieldBefore(bytes: string, offset: number, urlBytesMax: number): string | null {
  const floor = Math.max(0, offset - urlBytesMax);
  let at = offset;
  while (at > floor && !startsField(bytes, at)) {
    at--;
  }
  return startsField(bytes, at) ? bytes.slice(at, offset) : null;
}

/** C98: whether an offset is in a Received field that starts at most `urlBytesMax` bytes before it. */
export function isInReceived(bytes: string, offset: number, urlBytesMax: number): boolean {
  return RECEIVED.test(fieldBefore(bytes, offset, urlBytesMax) ?? "");
}

/** Whether an offset is in angle brackets in a field of message ids that starts at most `urlBytesMax` bytes before it. */
export function isInMessageId(bytes: string, offset: number, urlBytesMax: number): boolean {
  const field = fieldBefore(bytes, offset, urlBytesMax) ?? "";
  return ID_FIELD.test(field) && /<[^<>]*$/.test(field);
}
