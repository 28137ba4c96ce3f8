// asc's type names for tsc, which compiles the core as the twin. Types only: what asc has built in is used in assembly/seam/ alone.

type i8 = number;
type u8 = number;
type i16 = number;
type u16 = number;
type i32 = number;
type u32 = number;
type usize = number;
type isize = number;
type bool = boolean;
