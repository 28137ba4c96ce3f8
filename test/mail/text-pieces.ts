// Pieces of plain text and pages for the property tests of mail.

/** Addresses. */
export const URLS = [
  "http://a.example/x",
  "HTTP://b.example:80/?q=1&r=2",
  "ftp://c.example/pub/",
  "mailto:a@b.example",
  "news:comp.lang.c",
].concat(["http://d.example/=3D", "http://e.example/a_b?c=d.", "https://f.example/\u00e9", "gopher://g.example/1"]);
/** Pieces of lines: what begins or ends one, and what may stand in one. */
export const WORDS = [
  "see ",
  "the ",
  "x",
  ".",
  ", ",
  "> ",
  ">> ",
  ">",
  " ",
  "  ",
  "=",
  "=3D",
  "=\n",
  "= \n",
  "\t",
  "&amp;",
  "<",
  "<URL:",
  "<http://a.exam",
];
/** Delimited URLs over lines. */
export const WRAPPED = [
  "<URL:http://a.example/\nx>",
  "> <http://a.example/\n> x>",
  "<URL:http://a.\n\nexample>",
  "<http://a.example/x",
  "ple/x>",
  "x>",
];
/** Lines that a reader looks at. */
export const LINES = [
  "\n",
  "\n\n",
  "-- \n",
  "--\n",
  "...\n",
  ".\n",
  "..http://h.example/\n",
  "#! rnews 10\n",
  "From: a field\n",
  "From here on\n",
].concat([
  "From a 10:11 1996\n",
  "Content-Type: text/html\n",
  ">From the http://i.example/\n",
  ">>From b\n",
  "http://j.example/ \n",
  "> http://j.exam \n> ple/x \n>> y\n",
  "\x1b$B$3http://\x1b(Bhttp://k.exam \nple/\x1b(I1\x1b(B\x1b$(D!!\n\x1b$)C\x0e0!\x0f",
  "\x83Aftp://k.example/\x83\\\x814\x8e\xb1\x8f\xa1\xa1\xc4\xe3\xffhttps://k.example/\xc7http://k.example/\x94\x30\x81\x30\x94",
  "~{VPND~}http://k.example/~{VP\n~~~\n+AOk-http://k.example/+2D3eAA-x+2D0+AOkA,+b+-",
  "http://j.exam\n ple/x\\,\r\n\ty\\\n n",
]);
