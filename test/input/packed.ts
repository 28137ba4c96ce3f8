// Texts, and what the usual programs made of them.

/** Some lines. */
export const TEXT: string = Array.from({ length: 60 }, (_, index) => {
  const number = index + 1;
  return `${number} http://h${(number * 7919) % 1000}.example/${number * number}\n`;
}).join("");

/** One line. */
export const SHORT = "http://a.example/\n";

/** 300000 bytes of the same line. */
export const LONG: string = SHORT.repeat(20_000).slice(0, 300_000);

function bytes(...base64: readonly string[]): Buffer {
  return Buffer.from(base64.join(""), "base64");
}

/** `TEXT`, by xz -9 (CRC-64). */
export const XZ: Buffer = bytes(
  "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AZVAZ1dABiICYgKgzgK+xY4wJtjbe0m8RKy2eG5tNgC/Ip5BnyKkhI5I4PxqEvS3RDTah3B9VyJ2Jm1gK34aCO9",
  "HQYlbo6yYri6JiXg4G4yZdKNGNG20FnLJOOnoIj6rbz3Z+YOjtvlhxE6ClrgNh+BtZCV9W8oPOt37+Vh++1eJHwRiXh9a01oy8DIHrG0kqjnZmEieU39ot+L",
  "HkNDDA6MUuMDw0nvJ5utNdDVYNG3BBTyCUfoOGGawobu/ir9sl1RdknH68hpOEW16aXAZEuA0/L4yLxXan3XKaV+qr3weNfzKjohMJVgxlo1Ua2qsCb9rlD6",
  "JBKoT4zzJf5YwUF7EoZE3lq+HVsRL0osVhja5UtDDkiLnY9RSAkPM9kNul2tXVWyaRyUnDhHZD66b3iCUDo8cf8FYkIVPZiHR3TM3F3ucyBgXMzGAOYgWJAC",
  "IDEguZNCYsdliJrwsJOblcQe1Q01QxokaTH/OwRefhMT6203ZdMzRe/AofxPYHtgE2VHchDuGQ9BnhzL3qId2mRpsyxPOgPEzGI1IZ7p9IaNHN4AAAAAAGGb",
  "rA177qXjAAG5A9YMAACR8xWzscRn+wIAAAAABFla",
);

/** `LONG` in three blocks. */
export const XZ_BLOCKS: Buffer = bytes(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4YafAGddADQdLOA6CVnFCoaokW8eJ69z1alXn6gs3VNDetL8elhhrUp4yeBVmm31zWj+9cN0ZuBHaYBhgAXFiPBo",
  "MgYLJyMmQTxmBJdfR9lFosMmdeLNjrgYxXkaikmkV3gYkb2gKCUrSo8/AAAAAMgkK5RFsoj7AgAhARYAAAB0L+Wj4YafAGddADwYSf7v5OzwGZHhmqb1uc3A",
  "1vy8oXASZhlzLoKi/iwGoXy7HYFaQH26bAJd5KljjGni1H3kamHxyTAgoMSf20+bNYmZKPQ4BCKwop7UsvOBC012D51vczIZnf5anr+TEpYl1ZryAAAAABTx",
  "vdW4ueBfAgAhARYAAAB0L+Wj4YafAGddADocA0Erj/N+GEa1FzQzFCeElpnJUJyrqgYlQcbSzJ3Di9nsQF5sCEUhBrOXiF+FeDSVE3yEscd6otEPx9UCgYW1",
  "zkJukuN+0iMuwCxAnVcAAnCychs/EGABVqX+X1SpNmXwD5ljAAAAAPSK+tCjvooAAAODAaCNBoMBoI0GgwGgjQYAAABVRRp3CfRi5gUAAAAABFla",
);

/** `SHORT` with each other checksum. */
export const XZ_CRC32: Buffer = bytes("/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQARaHR0cDovL2EuZXhhbXBsZS8KAAAAtT6vDgABJhJHR+EQkEKZDQEAAAAAAVla");
export const XZ_SHA256: Buffer = bytes(
  "/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQARaHR0cDovL2EuZXhhbXBsZS8KAAAAmdtS0Aj+FtnXS+xttMAXe9k4BclFNkPL+SUd1gdhiY0AAUIS5OlwERib",
  "S5oBAAAAAApZWg==",
);
export const XZ_BARE: Buffer = bytes("/Td6WFoAAAD/EtlBAgAhARYAAAB0L+WjAQARaHR0cDovL2EuZXhhbXBsZS8KAAAAAAEiEkOCjXQGcp56AQAAAAAAWVo=");

/** `SHORT` through a filter that is not read. */
export const XZ_FILTERED: Buffer = bytes(
  "/Td6WFoAAATm1rRGAgEDAQAhARZ5IMTuAQARaAwA/Mr1ADLNNxPpDAP8+crbAAAAEpXXUCciiz0AASoSSwhUvB+2830BAAAAAARZWg==",
);

/** `TEXT`, by bzip2 -9. */
export const BZIP2: Buffer = bytes(
  "QlpoOTFBWSZTWZjweN0AANBZgAAQQAH/8CJGREBAAfRaaHCBPUyfqo0gAIqfsITRVABiJsjVM1AABFSYgZAZNE5nPt3sgqHIKcgwnIKcgynJKcghOSlmJxhJ",
  "LHW7uOutagwZMkhm4LCAKJBEAEAEUBiAC5Razq6CzRUJgJCTIGi6FBgnUk0AGZGoOzM7v4Znd+7M7um+dvOb3aB95YqNEW8EX8aWCRtuJK2Jo5XNQYvSVW5D",
  "hHBsKwVGQLF0z6EQ7CQLgTLGFV9zG151V3bRWHhM0vHOI0sqah1MSgGKgyI55Hj5fcuq7fsdVyiSNEE6RMmOWlmW0lEFtNCa5xztoYwt64Ngt1PJvniojmFF",
  "s2Q5uoGT61yixHx8xcerNv2GxfYG70wolUypwUYEZ1xIy/kxqtLjs6rtu2MzmzbKt9Qgw0xuvYY9VQ8ieAdC9AyhB49rOaN6nK7u9cjwc2RE3tLOOJGOomPe",
  "G50V3atJ01qRJZVhGU4yjcFcArcFbAroCtgVmCtwVwCuAVgCtAV+BX8XckU4UJCY8Hjd",
);

/** The first 5000 bytes of `LONG`, with bits turned as bzip2 before 0.9.5 did it. */
export const BZIP2_RANDOMIZED: Buffer = bytes(
  "QlpoOTFBWSZTWXJmx6GABarZgAAQAAGAGCJGRkAwALgIAABAAACkqRPUzRpxJDxb+UhzJDxVXOol5Q51C2Sm1F0pDRU4xU7Uh0iPmQPKkOiq50UaSHSkPsod4Q/1",
  "IaUONUHckNu1IfhdyRThQkHJmx6E",
);

/** `LONG` in blocks of 100 kB. */
export const BZIP2_BLOCKS: Buffer = bytes(
  "QlpoMTFBWSZTWaQF1X8AbHzZgAAQAAGAECJGREAwALAQNA0BNVSNqPJ6hA0DQ+SiJdlES1KIlooiX0oiXCiJdFESyURLkoiWyiJblES1KIluURLCiJZKIl0U",
  "RLCiJZKIl6YoKyTKay5K9t1gDY+LMAACAAAwAgRIyIgGABYCBoGgJqqRtR5PUIGgaHwoiXcoiWiiJalES+yiJclES6lESwoiXCiJblES2URLRREtlESyURLC",
  "iJdSiJZKIlhREvTFBWSZTWaQF1X8AbHzZgAAQAAGAECJGREAwALAQNA0BNVSNqPJ6hA0DQ+SiJdlES1KIlooiX0oiXCiJdFESyURLkoiWyiJblES1KIluURL",
  "CiJZKIl0URLCiJZKIl6YoKyTKayAJf/mgAAH7MAACAAAwAgRIyIgEAAQ2ojRk9QgaBoSbKKNGEDSws7ZwkYyBjS+LuSKcKEhQmBKxA==",
);

/** `TEXT`, by zstd -19. */
export const ZSTD: Buffer = bytes(
  "KLUv/WRWBQ0LANafQhawp9IBgBXDKiuJipVyJ5lkSuIuuAEdRAA5ADgAcW7aoTDc6ydz9eASzqaWYyvIRTCKwZEYWvM7QiuLOOxiftOpmZ0P9ypMkJmEOhIU",
  "EDgoMOBAQYBiGRAQCDgwYMAAAAPji0xZREWYkNHEeXWmSqCuGoShe3DRu+kn1HQPH3fVCULpTMR2dFXZRThIouN5F+dKPcQVSR+4jwOkQ+9NozMy3qUutlem",
  "QPH8QDX1SK9wehGPh/DYoalkttsiWV0kyF41XTbtnCP78K6sKFiRuUGKSot4mPGRzLZmvjRoVq6QhNmFvj+bhoxnZme996yCQsjMEYhCZ4zXibOIiamYMUwp",
  "zyEleRWVYvAedqgRICQZQd1+B8BXywEQlj7ZPRYUHn0t6S7709ERoYNflr53n/17Uj5N8zIJHxfB4doWgN3RxliWVn0PWYmP4n9sRpGF3CxdMG8UqBE5451r",
  "3a4CyQEYmQ==",
);

/** `LONG` in three blocks. */
export const ZSTD_BLOCKS: Buffer = bytes("KLUv/aTgkwQA1AAAkGh0dHA6Ly9hLmV4YW1wbGUvCgEA1v8rn2FMAAAIbAEA/P85EAJNAAAIeAEA3BMdCAE0Cnwo");

/** `SHORT` without a checksum. */
export const ZSTD_SHORT: Buffer = bytes("KLUv/QBYkQAAaHR0cDovL2EuZXhhbXBsZS8K");

/** `SHORT` in `a.txt`, encrypted, and in `b.txt`, as it is; by Info-ZIP. */
export const ZIP_ENCRYPTED: Buffer = bytes(
  "UEsDBAoACQAAALeGdV21Pq8OHgAAABIAAAAFAAAAYS50eHSjDnm4GyxlOB5ZhY7CYum6BtG2zZlCib9nJYvRcZJQSwcItT6vDh4AAAASAAAAUEsDBAoAAAAA",
  "ALeGdV21Pq8OEgAAABIAAAAFAAAAYi50eHRodHRwOi8vYS5leGFtcGxlLwpQSwECHgMKAAkAAAC3hnVdtT6vDh4AAAASAAAABQAAAAAAAAABAAAApIEAAAAA",
  "YS50eHRQSwECHgMKAAAAAAC3hnVdtT6vDhIAAAASAAAABQAAAAAAAAABAAAApIFRAAAAYi50eHRQSwUGAAAAAAIAAgBmAAAAhgAAAAAA",
);

/** `SHORT` 50000 times, in one block. */
export const BZIP2_LARGE: Buffer = bytes(
  "QlpoOTFBWSZTWYQgljMD0IrZgAAQAAGAECJGREAwANAIGgaAmqpo0aNCBoGhiFIqnQUiqZhSKpkKRVOQpFUx6FIqmApFU2FIqnoUiqaCkVTnUKRVMhSKpoKRVNhS",
  "KpsKRVOApFU2FIqnwUiqfmKCskyms4t8UlIAAAGzAAAgAAMAIESMiIBAAGIGgaBT1G1HpP1TSpurRcjgIPi7kinChIZv+Cpw",
);

/** `SHORT` 116000 times, in one chunk of nearly 2 MiB. */
export const XZ_LARGE: Buffer = bytes(
  "/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj/9w/AX9dADQdLOA6CVnFCoaokW8eJ69z1alXn6gs3VNDetL8elhhrUp4yeBVmm31zWj+9cN0ZuBHaYBhgAXFiPBoMgYL",
  "JyMmQTxmBJdfR9lFosMmdeLNjrgYxXkaikmkV3gYkb2gKCVCQ/lUHdZpXZcuJOFwnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/B",
  "cE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p",
  "/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U7",
  "8MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLjF5J6gAAABYELxpAAGXA8C4fwBhrDGRPjANiwIAAAAAAVla",
);

/** `SHORT`, by compress. */
export const COMPRESS: Buffer = bytes("H52QaOjQgaPjxYswLsrgCdMGDpsyLxQA");
