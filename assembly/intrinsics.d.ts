// The names of asc's types, for tsc. Outside of assembly/platform/ one built-in function of asc is used, `assert`: only the debug and the
// checked core have it (tools/asserts.mjs).

type i8 = number;
type u8 = number;
type i16 = number;
type u16 = number;
type i32 = number;
type u32 = number;
type usize = number;
type isize = number;
type bool = boolean;

declare function assert(isTrue: bool): void;
