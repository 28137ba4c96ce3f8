// Dates of messages (A10): forms as mailers wrote them, what is refused, and laws over any text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoDate, readFromLineDate, readMailDate } from "../../src/mail/date.ts";
import { RUNS, seeded } from "../core/check.ts";

const dateOf = (text: string): string | undefined => {
  const seconds = readMailDate(Buffer.from(text));
  return seconds === undefined ? undefined : isoDate(seconds);
};

const numRuns = 5000 * RUNS;
const settings = { numRuns, ...seeded };

/** Every text of a group is the date that the group is named by. */
const SAME: Record<string, string[]> = {
  "1994-03-28T15:09:08Z": [
    "Mon, 28 Mar 1994 15:09:08 +0000",
    " Mon, 28 Mar 1994 15:09:08 GMT",
    "\tMon, 28 Mar 94 15:09:08 UT\r\n",
    "Mon,\r\n 28 Mar\r\n 1994 15:09:08\r\n +0000",
    "28 Mar 1994 15:09:08 -0000",
    "28 Mar 1994 15:09:08",
    "28 Mar 094 15:09:08 Z",
    "28 Mar 0094 15:09:08 Z",
    "28 Mar '94 15:09:08 Z",
    "Fri, 28 Mar 1994 15:09:08 GMT",
    "Monday, 28 March 1994 15:09:08 UTC",
    "MON, 28 MAR 1994 15:09:08 gmt",
    "Mon (a \\) day (nested)), 28 (of) Mar 1994 (at)15:09:08(.)GMT",
    "(1 Jan (95)) 28 Mar 1994 15:09:08",
    "28\u00a0Mar\u00a01994\u00a015:09:08",
    "(1 Jan <) 28 Mar 1994 15:09:08 >",
    "28 Mar 1994 15:09:08 (+2500)",
    "28-Mar-94 15:09:08",
    "Mar 28.94 15:09:08",
    "Mon, 28-Mar-1994 15:09:08 GMT",
    "28/Mar/1994 15:09:08",
    "28/Mar/1994:15:09:08 +0000",
    "28/Mar/1994:17:09:08 +0200",
    "28-Mar-1994 15:09:08.42",
    "15:09:08 28-Mar-94",
    "Mon Mar 28 15:09:08 1994",
    "Mon Mar 28 15:09:08 GMT 1994",
    "Mon Mar 28 15:09:08 +0000 1994",
    "Mar 28 15:09:08 1994",
    "Mon, Mar 28, 1994 15:09:08",
    "1994-03-28T15:09:08Z",
    "1994-03-28T15:09:08.123Z",
    "Mon, 28 Mar 94 15:09:08 1994",
    "Mon, 28 Mar 1994 15:09:08 12345",
    "1994-03-28T15:09:08,5+00:00",
    "1994-03-28 15:09:08",
    "1994/03/28 Mon 15:09:08",
    "1994 Mar 28 15:09:08",
    "94-03-28 15:09:08",
    "19940328T150908Z",
    "19940328150908",
    "28.03.1994 15:09:08",
    "28. 3. 94 15.09.08",
    "28/03/94 15:09:08",
    "03/28/94 15:09:08",
    "28th March 1994 15:09:08",
    "28 Mar 1994 15.09.08",
    "28 Mar 1994 150908 GMT",
    "Mon, 28 Mar 1994 15:09:08 GMT and so on, since 1 Jan 1970",
    "Mon, 28 Mar 1994 15:09:08 GMT; 12",
    "Mon, 28 Mar 1994 3:09:08 PM",
    "Mon, 28 Mar 1994 03:09:08pm GMT",
    "3/28/94 3:09:08 p.m.",
    "Mon, 28 Mar 1994 15:09:08 XYZZY",
    "Mon, 28 Mar 1994 15:09:08 q",
    "Mon, 28 Mar 1994 15:09:08 ()",
    "(open Mon, 28 Mar 1994 15:09:08",
    "Montag, 28. März 1994 15:09:08",
    "Mo, 28 Mär 94 15:09:08",
    "Mo, 28 M{r 94 15:09:08",
    "Mo, 28 MÃ¤r 94 15:09:08",
    "lundi 28 mars 1994 15:09:08",
    "lun, 28 mar 1994 15:09:08",
    "mar, 28 mar 1994 15:09:08",
    "mar 28 mars 1994, 15:09:08",
    "lunes 28 de marzo de 1994 15:09:08",
  ],
  "1994-03-28T20:09:08Z": [
    "Mon, 28 Mar 1994 15:09:08 -0500",
    "Mon, 28 Mar 94 15:09:08 EST",
    "Mon, 28 Mar 94 15:09:08-EST",
    "Mon, 28 Mar 94 15:09:08EST",
    "Mon, 28 Mar 94 15:09:08 EST (Eastern)",
    "Mon, 28 Mar 94 15:09:08 EST (-0400)",
    "Mon Mar 28 15:09:08 EST 1994",
    "Mon Mar 28 15:09:08 EST -0500 1994",
    "Mon, 28 Mar 94 EST 15:09:08",
    "Mon Mar 28 15:09:08 -0500 -0600 1994",
    "Mon, 28 Mar 94 15:09:08 (EST)",
    "Mon, 28 Mar 94 15:09:08 (-0500)",
    "Mon, 28 Mar 94 15:09:08 EST5EDT",
    "Mon, 28 Mar 94 15:09:08 EST+5",
    "Mon, 28 Mar 94 15:09:08 Eastern Standard Time",
    "Mon, 28 Mar 94 15:09:08 +-0500",
    "Tue, 29 Mar 1994 01:39:08 0530",
    "Tue, 29 Mar 94 01:39:08 0530 (IST)",
    "Mon, 28 Mar 94 15:09:08 -5",
    "Mon, 28 Mar 94 15:09:08 -500",
    "Mon, 28 Mar 94 15:09:08 -5:00",
    "Mon, 28 Mar 94 15:09:08 GMT-5",
    "Mon, 28 Mar 94 15:09:08 UTC-05:00",
    "1994-03-28T15:09:08-05:00",
    "28 Mar 1994 150908-EST",
    "Mon, 28 Mar 94 12:09:08 PST",
    "Mon, 28 Mar 94 14:09:08 CST",
    "Mon, 28 Mar 94 13:09:08 MST",
    "Mon, 28 Mar 94 16:09:08 EDT",
    "Mon, 28 Mar 94 16:09:08 Eastern Daylight Time",
    "Mon, 28 Mar 94 13:09:08 PDT",
    "Tue, 29 Mar 94 05:09:08 JST",
    "Tue, 29 Mar 94 06:09:08 AEST",
    "Tue, 29 Mar 94 07:09:08 AEDT",
    "Tue, 29 Mar 94 08:09:08 NZST",
    "Tue, 29 Mar 94 09:09:08 NZDT",
    "Tue, 29 Mar 94 01:39:08 IST",
    "Mon, 28 Mar 94 10:09:08 HST",
    "Mon, 28 Mar 94 11:09:08 AKST",
    "Mon, 28 Mar 94 21:09:08 MET",
    "Mon, 28 Mar 94 21:09:08 CET (+0100)",
    "Mon, 28 Mar 94 21:09:08 BST",
    "Mon, 28 Mar 94 22:09:08 MEST",
    "Mon, 28 Mar 94 22:09:08 MET DST",
    "Mon Mar 28 22:09:08 MET DST 1994",
    "Mon, 28 Mar 94 22:09:08 CEST",
    "Mon, 28 Mar 94 22:09:08 EET",
    "Mon, 28 Mar 94 22:09:08 GMT+2",
    "Mon, 28 Mar 94 22:09:08 GMT+0200 (x)",
    "Mon Mar 28 1994 22:09:08 GMT+0200 (Central European Summer Time)",
  ],
  "1999-04-15T15:22:38Z": ["Thu, 15 Apr 1999 11:22:38 EST5EDT", "Thu, 15 Apr 1999 16:22:38 GMT0BST", "Thu, 15 Apr 1999 11:22:38 EDT"],
  "2007-03-15T12:00:00Z": ["15 Mar 2007 08:00 EST5EDT", "15 Mar 2007 12:00 GMT0BST"],
  "1986-04-15T12:00:00Z": ["15 Apr 1986 07:00 EST5EDT"],
  "1995-10-05T00:05:00Z": [
    "Thu, 5 Oct 1995 0:05:00",
    "Thu, 5 Oct 95 00:05 GMT",
    "Thu, 05 Oct 95 12:05 AM",
    "5 Oct 95 0.05",
    "5 Oct 95 0:5:0",
    "5. Okt. 95 0:05",
    "05.10.95 0:05",
    "5 octobre 1995 0:05",
    "jue, 5 oct 1995 0:05",
    "5 Oct 1995 0005",
  ],
  "1995-10-05T12:05:00Z": ["5 Oct 95 12:05 PM", "5 Oct 95 12:05", "5 Oct 95 13:05 PM +0100"],
  "1995-10-05T15:00:00Z": ["5 Oct 95 3 PM", "5 Oct 95 3pm GMT"],
  "1994-03-28T00:00:00Z": ["28 Mar 1994", "1994-03-28", "Monday, March 28, 1994", "28.3.94", "19940328"],
  "2000-01-03T00:00:01Z": [
    "Mon, 3 Jan 2000 00:00:01",
    "Mon, 3 Jan 100 00:00:01",
    "Mon, 3 Jan 0100 00:00:01",
    "3 Jan 19100 00:00:01",
    "3 Jan 00 00:00:01",
  ],
  "2049-01-01T00:00:00Z": ["1 Jan 49 00:00:00"],
  "1950-01-01T00:00:00Z": ["1 Jan 50 00:00:00"],
  "1994-02-15T10:00:00Z": ["15 fév 94 10:00", "15 févr. 1994 10:00", "15 f?v 94 10:00", "15 Feb 94 10:00 UT"],
  "1994-08-15T10:00:00Z": ["15 août 1994 10:00", "15 ago 1994 10:00"],
  "1994-12-15T10:00:00Z": ["15 déc 1994 10:00", "15 Dez 94 10:00", "15 dic 94 10:00"],
  "1994-04-05T10:00:00Z": ["mar, 5 abr 94 10:00"],
  "1997-06-30T23:59:59Z": ["Mon, 30 Jun 1997 23:59:60 +0000", "30 Jun 1997 23:59:59"],
  "1994-03-03T10:00:00Z": ["03/03/94 10:00"],
  "1995-12-31T23:30:00Z": ["Mon, 1 Jan 1996 00:30 +0100", "Sun, 31 Dec 1995 18:30 EST"],
  "1996-03-01T01:00:00Z": ["Thu, 29 Feb 1996 20:00:00 -0500"],
};

const REFUSED = [
  "",
  " \r\n\t",
  "(Mon, 28 Mar 1994 15:09:08 GMT)",
  "Mon, 31 Feb 1994 15:09:08 GMT",
  "29 Feb 1995 15:09:08 GMT",
  "29 Feb 1900 15:09:08 GMT",
  "31 Apr 1994 15:09:08 GMT",
  "0 Apr 1994 15:09:08 GMT",
  "32 Mar 1994 15:09:08 GMT",
  "Mon, 28 Mar 1994 25:09:08 GMT",
  "Mon, 28 Mar 1994 24:00:00 GMT",
  "Mon, 28 Mar 1994 15:60:08 GMT",
  "Mon, 28 Mar 1994 15:09:61 GMT",
  "Mon, 28 Mar 1994 15:09:081 GMT",
  "Mon, 28 Mar 1994 115:09:08 GMT",
  "Mon, 28 Mar 1994 13:09 AM",
  "Mon, 28 Mar 1994 15:09:08 +2500",
  "Mon, 28 Mar 1994 15:09:08 +0160",
  "1994-13-28T15:09:08Z",
  "1994-03-32T15:09:08Z",
  "1994-03-28T15",
  "1994-03",
  "28 Mar 1994 25 o'clock",
  "3/4/94 15:09:08",
  "28 Mar 15:09:08",
  "28 Mar 4 15:09:08",
  "28 Mar 20001 15:09:08",
  "28 Mar 1899 15:09:08",
  "28/03/4 23:09:08 -0200",
  "28 Mar 199412 15:09:08",
  "28 Mar 150908150908 00:30 MET",
  "1 Jan 1900 00:09:08 +0100",
  "31 Dec 9999 23:09:08 -0100",
  "Mar 1994 15:09:08",
  "Mon, 28 Foo 1994 15:09:08",
  "764867348",
  "yesterday",
];

describe("a date", () => {
  it.each(Object.entries(SAME).flatMap(([date, texts]) => texts.map((text) => [text, date])))("%j is %s", (text, date) => {
    expect(dateOf(text)).toBe(date);
  });

  it.each(REFUSED)("%j is none", (text) => {
    expect(dateOf(text)).toBeUndefined();
  });
});

const pieces = fc.constantFrom(
  ..."Mon|,| |  |\t|\r\n |28|3|31|0|99|1994|94|095|19100|Mar|mar|März|Feb|-|/|.|:|+|+0100|-0500|GMT|EST|MET|DST|EST5EDT|T|Z".split("|"),
  ..."15:09:08|15:09|15.09.08|3:09|PM|AM|1509|150908|1994-03-28|28.3.94|03/28/94|(|)|(EST)|(x)|<|>|\\|é|Daylight Time|=?".split("|"),
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
  fc.string(),
);

describe("the date of a From_ line", () => {
  it.each([
    ["joe@a.example Tue Nov 26 10:00:00 2019", "2019-11-26T10:00:00Z"],
    ["joe at a.example  Tue Nov 26 10:00:00 2019\r\n", "2019-11-26T10:00:00Z"],
    ["- Tue Nov 26 10:00:00 2019", "2019-11-26T10:00:00Z"],
    ["sun Tue Nov 26 10:00 PST 2019", "2019-11-26T18:00:00Z"],
    ["12@xxx Tue, 26 Nov 2019 10:00:00 +0100", "2019-11-26T09:00:00Z"],
    ["joe Tue Nov 26 10:00:00 2019 remote from sun", "2019-11-26T10:00:00Z"],
    ["joe1@a.example 10:00 2019", undefined],
    ["", undefined],
    ["-123456789", undefined],
    ["lore@z Thu Jan  1 00:00:00 1970", undefined],
    ["0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001", undefined],
  ])("%j", (line, date) => {
    const seconds = readFromLineDate(Buffer.from(line));
    expect(seconds === undefined ? undefined : isoDate(seconds)).toBe(date);
  });
});

describe("any text", () => {
  it("is a date in ISO 8601 or none, and its own date is itself", () => {
    const seen = { dates: 0 };
    const law = (text: string): void => {
      const date = dateOf(text);
      if (date === undefined) return;
      seen.dates += 1;
      expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(new Date(date).toISOString()).toBe(date.replace("Z", ".000Z"));
      expect(dateOf(date)).toBe(date);
    };
    fc.assert(fc.property(texts, law), settings);
    expect(seen.dates).toBeGreaterThan(numRuns / 100);
  });
});

const sign = fc.constantFrom("+", "-");
const two = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((number) => `${number}`.padStart(2, "0"));
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

describe("a date of RFC 5322", () => {
  const parts = fc.record({
    day: fc.integer({ min: 1, max: 33 }),
    month: fc.integer({ min: 0, max: 11 }),
    year: fc.integer({ min: 1901, max: 2200 }),
    hour: two(24),
    minute: two(60),
    second: two(59),
    zone: fc.tuple(sign, two(14), two(59)),
  });

  it("is what the platform's calendar makes of it, in every form", () => {
    fc.assert(
      fc.property(parts, ({ day, month, year, hour, minute, second, zone: [mark, hours, minutes] }) => {
        const utc = new Date(Date.UTC(year, month, day, Number(hour), Number(minute), Number(second)));
        const exists = utc.getUTCDate() === day && utc.getUTCHours() === Number(hour) && utc.getUTCMinutes() === Number(minute);
        const shift = (Number(hours) * 60 + Number(minutes)) * (mark === "-" ? -60_000 : 60_000);
        const wanted = exists ? new Date(utc.getTime() - shift).toISOString().replace(".000Z", "Z") : undefined;
        const [name, time, offset] = [MONTHS[month], `${hour}:${minute}:${second}`, `${mark}${hours}${minutes}`];
        // The first is read at once, the others part by part.
        expect(dateOf(`Mon, ${day} ${name} ${year} ${time} ${offset}`)).toBe(wanted);
        expect(dateOf(`Mon, ${day} ${name} ${year} ${time} ${offset} .`)).toBe(wanted);
        expect(dateOf(`Mon ${name} ${day} ${time} ${year} ${offset}`)).toBe(wanted);
        expect(dateOf(`Mon ${name} ${day} ${time} ${offset} ${year}`)).toBe(wanted);
        const twoDigits = (number: number): string => `${number}`.padStart(2, "0");
        expect(dateOf(`${year}-${twoDigits(month + 1)}-${twoDigits(day)}T${time}${mark}${hours}:${minutes}`)).toBe(wanted);
      }),
      settings,
    );
  });

  it("is read at once as it is part by part", () => {
    const zone = fc.oneof(
      fc.constantFrom("GMT", "EST", "pdt", "Z", "a", "MET", "XYZ", "AM", "mar"),
      fc.tuple(sign, two(99), two(99)).map((one) => one.join("")),
    );
    const comment = fc.constantFrom("", " ", " (EST)", "(x)", " (DST) ", " ()");
    fc.assert(
      fc.property(
        zone,
        comment,
        two(33),
        fc.constantFrom(...MONTHS, "Foo", "mai"),
        fc.constantFrom("94", "1994", "0102"),
        (name, rest, day, month, year) => {
          const text = `Mon, ${day} ${month} ${year} 15:09:08 ${name}${rest}`;
          // A leading full stop is passed over, but it is not the common form.
          expect(dateOf(text)).toBe(dateOf(`.${text}`));
        },
      ),
      settings,
    );
  });

  it("with a character changed, is read without a pattern as it is with one", () => {
    const forms = [
      "Mon, 28 Mar 1994 15:09:08 +0000",
      "28 Mar 1994 15:09:08 -0800 (PST)",
      "8 Mar 1994 15:09:08 -0530",
      "Mon, 8 Mar 1994 15:09:08 +2359",
    ];
    const changes = fc.constantFrom(..."0 9:,-+ (a?\u00e9", "", "  ", "mai", "m?r");
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.integer({ min: 1, max: 30 }), fc.nat(3), changes, (form, at, count, change) => {
        const text = form.slice(0, at) + change + form.slice(at + count);
        // A leading full stop is passed over, but the form that is read without a pattern does not begin with it. The weekday stays: three
        // letters and a comma are one there, and `mai` would be a month.
        expect(dateOf(text)).toBe(dateOf(`.${text}`));
      }),
      settings,
    );
  });
});
