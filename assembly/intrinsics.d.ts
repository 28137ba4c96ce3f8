// The names of asc's types, for tsc. Only assembly/platform/ uses asc's built-in functions.

type i8 = number;
type u8 = number;
type i16 = number;
type u16 = number;
type i32 = number;
type u32 = number;
type usize = number;
type isize = number;
type bool = boolean;
