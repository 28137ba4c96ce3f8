// Types of the parts that `format` reads.

export interface PartType {
  /** Follows the name of the part in error messages. */
  readonly expected: string;
  /** Tests a value. */
  readonly isRight: (part: unknown) => boolean;
}

export type PartTypes = Readonly<Record<string, PartType>>;

const isText = (part: unknown): part is string => typeof part === "string";
// Array.from turns holes into undefined; `every` would skip them.
const isList = (part: unknown, isRight: (one: unknown) => boolean): boolean => Array.isArray(part) && Array.from(part).every(isRight);
const isField = (part: unknown): boolean => isList(part, isText) && (part as readonly string[]).length === 2;

export const TEXT: PartType = { expected: "must be a string", isRight: isText };
export const TEXTS: PartType = { expected: "must be an array of strings", isRight: (part) => isList(part, isText) };
/** Names and their values. */
export const FIELDS: PartType = { expected: "must be an array of pairs of strings", isRight: (part) => isList(part, isField) };
/** A mark, which is true if it is present. */
export const TRUE: PartType = { expected: "must be true", isRight: (part) => part === true };
export const ARTICLE: PartType = {
  expected: "must be a whole number that is not negative",
  isRight: (part) => Number.isSafeInteger(part) && (part as number) >= 0,
};
const SCHEME: PartType = {
  expected: "must be a letter, then letters, digits, +, . or -, in lower case",
  isRight: (part) => isText(part) && /^[a-z][a-z0-9+.-]*$/.test(part),
};
const PORT: PartType = {
  expected: "must be a whole number from 0 to 65535",
  isRight: (part) => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 65535,
};

/** Returns a type that also allows null. */
export function orNull({ expected, isRight }: PartType): PartType {
  return { expected: `${expected}, or null`, isRight: (part) => part === null || isRight(part) };
}

export const TEXT_OR_NULL = orNull(TEXT);
export const LOGIN: PartTypes = { user: TEXT_OR_NULL, password: TEXT_OR_NULL };

/** The types of the generic components. (P0) */
export const GENERIC_TYPES: PartTypes = {
  scheme: SCHEME,
  userinfo: TEXT_OR_NULL,
  ...LOGIN,
  host: TEXT_OR_NULL,
  port: orNull(PORT),
  path: TEXT,
  query: TEXT_OR_NULL,
  fragment: TEXT_OR_NULL,
};
