// RFC 1738 sections 2 and 3: every sentence with a rule in it, and those from which nothing follows for a parser.
import { SECTION_2 } from "./rfc1738-section2.ts";
import { SECTION_3 } from "./rfc1738-section3.ts";
import { SECTION_3_4 } from "./rfc1738-section3-4.ts";
import type { ProseSentence, Sentence } from "./sentence.ts";

/** The sentences with their checks, in the order of the document. */
export const SENTENCES: readonly Sentence[] = [...SECTION_2, ...SECTION_3, ...SECTION_3_4];

/** Sentences about what is done with a resource or written on paper: nothing of a URL's text depends on them. */
export const NOT_EXECUTABLE: readonly ProseSentence[] = [
  { section: "2", opens: "Having located a resource, a system may perform", reason: "what is done with a resource, not with its URL" },
  { section: "2.2", opens: "A URLs may be represented in a variety of ways", reason: "ink on paper; as bytes the input is UTF-8" },
  { section: "3.2.2", opens: "FTP URLs may also be used for other operations", reason: "the document itself leaves open how" },
  { section: "3.2.5", opens: "Clients accessing resources via FTP may employ", reason: "what a client does with a connection" },
  { section: "3.2.5", opens: "For some FTP servers, for example, it may be reasonable", reason: "what a client does with a connection" },
];
