// The names that headers are searched for. The core reads them from its memory: a string here would take room in it.

/** Every name that headers are searched for, in the order of the numbers. */
export const MAIL_NAMES_TEXT: string =
  "message-id date from subject newsgroups list-id warc-target-uri warc-date content-type content-transfer-encoding content-length " +
  "warc-type transfer-encoding content-encoding " +
  "text message multipart html xhtml+xml rfc822 global news digest json xml javascript http " +
  "quoted-printable base64 x-uuencode uuencode x-uue uue identity 7bit chunked " +
  "charset format delsp flowed yes utf-16 utf-16le utf-16be utf-7 unicode-1-1-utf-7 hz-gb-2312 " +
  "response resource conversion boundary";
