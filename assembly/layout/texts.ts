// Where `numberTexts` has the texts that it tells apart, in a core that no scan uses (ARCHITECTURE.md).
import { OUTPUT_BYTES, OUTPUT_REGION, REJECTED_REGION, SOURCE_INPUT, TRANSFER_MAP, WINDOW_REGION } from "./memory.ts";

/** The bytes of a batch, from which the rows' addresses count. */
export const BATCH_REGION: i32 = WINDOW_REGION;
/** Most bytes of a batch: so each of its texts has room where there is no other. */
export const BATCH_BYTES_MOST: i32 = OUTPUT_BYTES - 64;
/** For each row a word: the number of its text, from 0 on. */
export const NUMBER_REGION: i32 = REJECTED_REGION;
/** For each number a word: the address of its text. */
export const TEXT_TABLE: i32 = TRANSFER_MAP;
/** Most texts. */
export const TEXTS_MOST: i32 = 65536;
/** Texts, each at a word: its hash, its number, its length and its bytes. */
export const TEXT_REGION: i32 = OUTPUT_REGION;
export const TEXT_REGION_END: i32 = OUTPUT_REGION + OUTPUT_BYTES;
export const TEXT_HASH: i32 = 0;
export const TEXT_NUMBER: i32 = 4;
export const TEXT_LENGTH: i32 = 8;
export const TEXT_BYTES: i32 = 12;
/** Slots of two words: a hash, and the address of a text or 0. Twice as many as texts, or more. */
export const TEXT_SLOTS: i32 = SOURCE_INPUT;
/** Logarithm of the bytes of a slot, and slots at first. */
export const SLOT_SHIFT: i32 = 3;
export const SLOTS_LEAST: i32 = 1024;
