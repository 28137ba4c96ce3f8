// Pieces of texts with IP addresses without a scheme (X10).

/** IP addresses, and what follows or comes before one (C98). */
export const IP_STARTS = ["", "", "", " ", "x=", "=", ":", "1:", "a:", ":ab:", "::ffff:", "-", "v", "[", "\u00e9", "\nReceived: (", "\n "];
export const IP_HOSTS = [
  "192.0.2.7",
  "[2001:db8::1]",
  "[::1]",
  "[::ffff:192.0.2.1]",
  "10.0.0.0",
  "1.2.3.4.5",
  "999.1.2.3",
  "01.2.3.4",
  "1.2.3",
  "[::1",
  "[v1.a]",
  "[1::2::3]",
  "[fe80::1%25a]",
];
export const IP_ENDS = [
  "",
  ":",
  ":80",
  ":80.",
  ":80a",
  ":0.0",
  ":99999",
  ":1:2",
  "/",
  "/x",
  "/8",
  "/24,",
  "/255.255.255.0",
  "/24.html",
].concat(["/8-a", "/12345", "/123456", "/1/2", "/1/", "?", "?x", "?(", "#53", "#53(", "#x", "/(", "\u3060", "@a.com", "-1.2.3.5"]);
