/**
 * Message ids, which look like addresses (X10, C97).
 */

const ID_FIELD = /^[> ]*(?:[A-Za-z0-9_+-]*-)?(?:message-id|in-reply-to|references|content-id|msg-id|supersedes):/i;

function startsField(bytes: string, at: number): boolean {
  return at === 0 || (bytes[at - 1] === "\n" && !/[ \t]/.test(bytes.charAt(at)));
}

/** Whether an offset is in angle brackets in a field of message ids that starts at most `urlBytesMax` bytes before it. */
export function isInMessageId(bytes: string, offset: number, urlBytesMax: number): boolean {
  const floor = Math.max(0, offset - urlBytesMax);
  let at = offset;
  while (at > floor && !startsField(bytes, at)) {
    at--;
  }
  const field = bytes.slice(at, offset);
  return startsField(bytes, at) && ID_FIELD.test(field) && /<[^<>]*$/.test(field);
}
