// Linear memory as an array of bytes, for which the kernels of javascript/ are written. So asc compiles them for the scalar core.

class Heap {
  @operator("[]")
  at(p: i32): i32 {
    return load<u8>(p) as i32;
  }

  @operator("[]=")
  set(p: i32, value: i32): void {
    store<u8>(p, value);
  }

  copyWithin(to: i32, start: i32, end: i32): void {
    memory.copy(to, start, end - start);
  }

  fill(value: i32, start: i32, end: i32): void {
    memory.fill(start, value as u8, end - start);
  }
}

/** Linear memory. The object has no bytes of its own. */
export const heap: Heap = changetype<Heap>(0);
