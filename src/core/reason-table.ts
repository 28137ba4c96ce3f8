// The meanings of the reasons why a candidate or a match has no URL.

/** By reason: a title, and what it means in one or two sentences. */
export const REASON_MEANINGS: ReadonlyMap<string, { readonly title: string; readonly text: string }> = new Map([
  ["no-host", { title: "No host", text: "Nothing that could be a host follows the //." }],
  ["bad-host", { title: "Impossible host", text: "No host can be written like this." }],
  ["bad-port", { title: "Impossible port", text: "A port is a number up to 65535." }],
  ["bad-shape", { title: "Not the form of its scheme", text: "It is not what its scheme asks for: a mailto: without an address, say." }],
  ["overlong", { title: "Too long", text: "It is longer than the option --url-bytes-max allows." }],
  ["defanged", { title: "Defanged", text: "Somebody wrote it so that no program makes a link of it. The option --refang reads it." }],
  ["no-base", { title: "Relative, without a base", text: "Nothing says what the link is relative to. The option --base does." }],
  ["empty", { title: "Empty", text: "There is no text." }],
  ["no-scheme", { title: "No scheme", text: "It does not begin with a scheme." }],
]);
