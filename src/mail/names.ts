// Names of months and time zones in the dates of messages.

const MONTH_NAMES = [
  "jan january januar jaenner j?nner janv janvier ene enero gennaio gen januari",
  "feb february februar fev f?v f?vr f?vrier fevr fevrier febrero febbraio fevereiro februari",
  "mar march m?r m?rz mrz maerz marz mars marzo mrt maart mar?o",
  "apr april avr avril abr abril aprile",
  "may mai maj mayo mag maggio maio mei",
  "jun june juni juin junio giu giugno junho",
  "jul july juli juil juillet julio lug luglio julho",
  "aug august aou ao? aout ao?t ago agosto augustus",
  "sep sept september septembre septiembre set setiembre settembre setembro",
  "oct october okt oktober octobre octubre ott ottobre out outubro",
  "nov november novembre noviembre novembro",
  "dec december dez dezember d?c d?cembre decembre dic diciembre dicembre dezembro",
];

/**
 * Months, 1 to 12, by their names in English, German, French, Spanish, Italian, Portuguese and Dutch. Names are in lower case. A `?` in a
 * name is any run of characters other than ASCII letters, so that a name is found even if its accents were damaged. (A10)
 */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(" ").map((name): [string, number] => [name, index + 1])),
);

const OFFSET_NAMES: Record<string, string> = {
  "-1000": "hst",
  "-0900": "akst",
  "-0800": "pst akdt",
  "-0700": "mst pdt",
  "-0600": "cst mdt",
  "-0500": "est cdt",
  "-0400": "edt ast",
  "-0330": "nst",
  "-0300": "adt",
  "-0230": "ndt",
  "+0000": "gmt ut utc wet",
  "+0100": "cet met mez bst west",
  "+0200": "cest mest mesz metdst cetdst eet sast",
  "+0300": "eest eetdst msk idt",
  "+0400": "msd",
  "+0530": "ist",
  "+0700": "ict",
  "+0800": "awst hkt sgt pht",
  "+0900": "jst kst",
  "+0930": "acst",
  "+1000": "aest",
  "+1030": "acdt",
  "+1100": "aedt",
  "+1200": "nzst",
  "+1300": "nzdt nzhdt",
};

/**
 * Time zones of RFC 5322 and others that mailers wrote, by name in lower case, in minutes east of Greenwich. The military letters are
 * UTC, because mailers used them inconsistently (RFC 5322 4.3). (A10)
 */
export const ZONES: ReadonlyMap<string, number> = new Map([
  ...[..."abcdefghijklmnopqrstuvwxyz"].map((letter): [string, number] => [letter, 0]),
  ...Object.entries(OFFSET_NAMES).flatMap(([offset, names]) => {
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3));
    return names.split(" ").map((name): [string, number] => [name, offset.startsWith("-") ? -minutes : minutes]);
  }),
]);

/** Names that are zones only before words such as `Standard Time`, with the minutes of standard time east of Greenwich. */
export const LONG_ZONES: ReadonlyMap<string, number> = new Map([
  ["eastern", -300],
  ["central", -360],
  ["mountain", -420],
  ["pacific", -480],
  ["greenwich", 0],
]);
