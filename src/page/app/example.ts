// A small mailbox to try the page with.

/** Messages: their day, sender, subject, and an HTML or plain body. */
const MESSAGES: readonly (readonly [date: string, from: string, subject: string, body: string])[] = [
  ["3 Mar 1996", "ada@mill.example", "Stones", "See http://www.mill.example/stones/ and ftp://ftp.mill.example/pub/ ."],
  ["9 Mar 1996", "ben@rye.example", "Re: Stones", "> http://www.mill.example/stones/\n\nAlso gopher://gopher.rye.example/1/wheat"],
  ["14 Jun 2004", "ada@mill.example", "Sieves", "https://www.mill.example/sieves?utm_source=list and http://192.0.2.7/x"],
  ["2 Feb 2022", "desk@bank.example", "Your account", '<p>Sign in: <a href="https://login.test.example/">www.bank.example</a></p>'],
  ["2 Feb 2022", "cleo@oats.example", "A link", "https://www.google.com/url?q=https%3A%2F%2Foats.example%2Fbread"],
];

/** Returns the mailbox. */
export function exampleText(): string {
  const messages = MESSAGES.map(([date, from, subject, body], index) => {
    const type = body.startsWith("<") ? "text/html" : "text/plain";
    const fields = [`From: ${from}`, `Date: ${date} 10:00:00 +0000`, `Subject: ${subject}`, `Message-ID: <${index}@mill.example>`];
    return `From ${from} Wed Feb  2 10:00:00 2022\n${fields.join("\n")}\nContent-Type: ${type}\n\n${body}\n\n`;
  });
  return messages.join("");
}
