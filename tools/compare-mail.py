#!/usr/bin/env python3
"""Compares what urlmill finds in an mbox with what Python's email package shows.

    urlmill -f ndjson FILE > records.ndjson
    python3 tools/compare-mail.py FILE records.ndjson [--messages N] [--list]

Per message: the http, https and ftp URLs that a plain expression finds in the decoded text parts, and the raw forms of urlmill's records
whose span lies in the message. Both are brought to a form that ends where X2, X3 or X5 may end a match for a reason that the
expression does not know, so that like is compared with like. Printed are the recall, every miss with a reason, what urlmill has beyond,
by where it stands, records whose bytes do not decode to their raw form, and the number of messages by a split of its own (compared
with N, of `urlmill --stats`). FILE may be gzipped. Exit code 1: recall below 99.5 %, a span that does not decode, or another count.
"""
import argparse
import base64
import bisect
import collections
import email
import gzip
import html
import html.parser
import json
import quopri
import re
import sys

RECALL_MIN = 0.995
URL = re.compile(r"(?i)(?:https?|(?<![a-z])ftp)://[^\x00-\x20\x7f\"<>`\\]+")
AUTHORITY = re.compile(r"(?i)(https?|ftp)://(?:[^/?#@]*@)*([a-z0-9_%\[][a-z0-9._%:\[\]-]*)")
STOP = re.compile(r"[\x00-\x20\x7f\"<>`\\()\[\]{}',;|*\x80-\U0010ffff]|&(?:amp;)*(?:lt|gt|quot|nbsp|apos|#)")
NEXT_URL = re.compile(r"(?i)[,;|](?=(?:https?|ftp)://)")
SCHEME_AS_HOST = re.compile(r"(?i)^(?:https?|ftp)://(?=(?:https?|ftp)://)")


def key_of(url):
    """The part of a URL about which the expression and the rules agree; None where X2 finds no host or no good port."""
    url = SCHEME_AS_HOST.sub("", url)
    match = AUTHORITY.match(url)
    if match is None:
        return None
    end = match.end()
    if url[end : end + 1] not in ("/", "?", "#"):
        url = url[:end]
    host_start = match.start(2)
    name = re.match(r"[a-z0-9._%-]*", url[host_start:], re.I).end() + host_start
    # A colon that no port follows ends a match; a port is left out where anything else than a path may end it.
    behind = url[name:]
    if re.match(r":[0-9]*:[a-z0-9]", behind, re.I):
        return None
    if behind.startswith(":") and not re.match(r":[0-9]*[/?#]", behind):
        url = url[:name]
    stop = STOP.search(url, host_start)
    if stop is not None:
        url = url[: stop.start()]
    url = url.rstrip(".:!?~_-")
    scheme, rest = url.split(":", 1)
    return scheme.lower() + ":" + rest if len(rest) > 2 else None


class Page(html.parser.HTMLParser):
    """The texts and attribute values of a page, references decoded."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.texts = []

    def handle_starttag(self, tag, attrs):
        self.texts.extend(value for _, value in attrs if value)

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.texts.append(data)

    handle_comment = handle_decl = handle_pi = unknown_decl = handle_data


def texts_of_page(text):
    page = Page()
    try:
        page.feed(text)
        page.close()
    except AssertionError:
        page.texts.append(html.unescape(text))
    return page.texts


def decoded_text(part):
    """A text part as text, one character a byte where its charset is of ASCII's kind; DelSp undone."""
    content = part.get_payload(decode=True) or b""
    charset = (part.get_param("charset", "") or "") if isinstance(part.get_param("charset", ""), str) else ""
    if charset.lower() in ("utf-16", "utf-16le", "utf-16be", "utf-7", "hz-gb-2312", "gb18030", "big5", "shift_jis", "euc_jp", "iso2022_jp", "cp949"):
        text = content.decode(charset, "replace")
    else:
        text = content.decode("latin-1")
    if str(part.get_param("delsp", "")).lower() == "yes":
        text = re.sub(r"(?m)(?<!^--) \r?\n(?:>* ?)", "", text)
    return text


def shown_urls(message):
    """Keys of the URLs that the text parts of a message show, each with how it came there."""
    found = {}
    for part in message.walk():
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        text = decoded_text(part)
        kind = part.get_content_type()
        encoding = str(part.get("content-transfer-encoding", "")).strip().lower() or "none"
        for piece in texts_of_page(text) if kind == "text/html" else [text]:
            for match in URL.finditer(piece):
                for url in NEXT_URL.split(match.group()):
                    key = key_of(url)
                    if key is not None:
                        found.setdefault(key, (kind, encoding, url))
    return found


def split_mbox(content):
    """Offsets of messages: lines `From ` at the start or behind an empty line."""
    starts = [match.start() for match in re.finditer(rb"(?m)^From ", content)]
    return [at for at in starts if at == 0 or re.search(rb"(?:^|\n)\r?\n\Z", content[max(0, at - 3) : at])]


def parsed_message(content):
    """The message behind a From_ line, the marks before `From ` taken off in its body."""
    _, _, rest = content.partition(b"\n")
    header, gap, body = re.match(rb"(?s)(.*?)(\r?\n\r?\n|\Z)(.*)", rest).groups()
    return email.message_from_bytes(header + gap + re.sub(rb"(?m)^>(>*From )", rb"\1", body))


def plain_forms(content):
    """Ways in which the bytes of a span may say a raw form: as they stand, in HTML, in a wrapper over lines, flowed."""
    for charset in ("utf-8", "utf-16-le", "utf-16-be", "utf-7", "hz-gb-2312", "gb18030", "big5", "shift_jis", "euc_jp", "iso2022_jp", "cp949"):
        try:
            text = content.decode(charset, "replace" if charset == "utf-8" else "strict")
        except (UnicodeError, ValueError):
            continue
        # In a value of an attribute a named reference needs its semicolon.
        strict = re.sub(r"(?i)&#(?:\d+|x[0-9a-f]+);?|&\w+;", lambda reference: html.unescape(reference.group()), text)
        # Escapes of TeX are undone too.
        plain = re.sub(r"\\([_%&#~])", r"\1", text)
        for form in (text, html.unescape(text), strict, plain):
            yield form
            yield re.sub(r"[ \t]*\r?\n(?: *>)*[ \t]*", "", form)
            yield re.sub(r"\r?\n(?: *>)*|[ \t]", "", form)
            yield re.sub(r"[ \t]*\r?\n>?[ \t]*|[ \t]", "", form)
            # The value of an attribute that is a URL (X9).
            yield re.sub(r"[\t\r\n]", "", form)
            yield re.sub(r"[\t\r\n]", "", form).replace("\\", "/")


def decodes(content, raw):
    """Whether the bytes of a span decode to a raw form: as they stand, by quoted-printable, or as whole groups of base64."""
    if content.strip(b" \t\r\n") != content:
        return False
    forms = [content, quopri.decodestring(content)]
    if any(raw == form for way in forms for form in plain_forms(way)):
        return True
    # A part that names a charset of one byte is decoded from it.
    if raw in plain_forms(quopri.decodestring(content).decode("latin-1").encode()):
        return True
    # Words of a header are decoded too; of two words the second one's opening stands inside the span.
    words = re.sub(rb"\?=\s*=\?[^?\s]+\?[Qq]\?", b"", content)
    if raw == quopri.decodestring(words, header=True).decode("utf-8", "replace"):
        return True
    runs = re.sub(rb"[^A-Za-z0-9+/=]", b"", content).split(b"=")
    if any(len(run) % 4 == 1 for run in runs):
        return False
    decoded = b"".join(base64.b64decode(run + b"=" * (-len(run) % 4)) for run in runs)
    return any(raw in form for form in plain_forms(decoded))


def reason_of(key, shown, records, source):
    """Why a URL may be missing."""
    kind, encoding, url = shown
    elsewhere = {where_of(one) for one in records if key_of(one["raw"]) == key}
    if elsewhere:
        return "only in " + " and ".join(sorted(elsewhere))
    keys = [one_key for one_key in (key_of(one["raw"]) for one in records) if one_key]
    if any(one.startswith(key) or key.startswith(one) for one in keys):
        return "ends elsewhere"
    if encoding == "base64" and url.encode("latin-1", "replace") in source:
        return "stands unencoded in a base64 part"
    if re.search(rb"(?m)^(?:begin [0-7]{3,4} |=ybegin )", source):
        return "perhaps in an encoded file"
    return f"not found ({kind}, {encoding})"


def where_of(record):
    return re.sub(r":.*", "", record.get("where", "none"))


def beyond_of(record, key, shown):
    """In which way a record goes beyond what Python shows."""
    where = where_of(record)
    if where not in ("body", "html"):
        return where
    if record["kind"] == "rejoined":
        return "rejoined wrapper"
    if any(one.startswith(key) or key.startswith(one) for one in shown):
        return f"{where}: ends elsewhere"
    return f"{where}: not shown"


class Comparison:
    """Counts and lists over the messages of a file."""

    def __init__(self):
        self.shown = 0
        self.inside = 0
        self.missed = collections.Counter()
        self.beyond = collections.Counter()
        self.lines = []

    def add(self, index, source, records):
        shown = shown_urls(parsed_message(source))
        own = collections.defaultdict(list)
        for record in records:
            key = key_of(record["raw"])
            if key is not None:
                own[key].append(record)
        is_digest = re.search(rb"(?m)^-{30}\r?$", source) is not None
        in_text = ("body", "html", "header") if is_digest else ("body", "html")
        keys = {key for key, found in own.items() if any(where_of(one) in in_text for one in found)}
        rejoined = [key for key, found in own.items() if any(one["kind"] == "rejoined" for one in found)]
        self.shown += len(shown)
        for key, one in shown.items():
            if key in keys or any(longer.startswith(key) for longer in rejoined):
                continue
            if any(key in record["raw"] for record in records if not record["raw"].startswith(key)):
                self.inside += 1
            else:
                reason = reason_of(key, one, records, source)
                self.missed[reason] += 1
                self.lines.append(f"missed  message {index + 1}: {reason}: {one[2]}")
        for key, found in own.items():
            if key not in shown:
                reason = beyond_of(found[0], key, shown)
                self.beyond[reason] += 1
                self.lines.append(f"beyond  message {index + 1}: {reason}: {found[0]['raw']}")


def read_arguments():
    parser = argparse.ArgumentParser(description="compare urlmill's records of an mbox with Python's email package")
    parser.add_argument("mbox")
    parser.add_argument("records", help="output of urlmill -f ndjson")
    parser.add_argument("--messages", type=int, help="number of messages that urlmill counted")
    parser.add_argument("--list", action="store_true", help="list also what urlmill has beyond")
    return parser.parse_args()


def print_counts(title, counter):
    print(f"{title}: {sum(counter.values())}")
    for reason, count in counter.most_common():
        print(f"  {count:6} {reason}")


def main():
    given = read_arguments()
    with (gzip.open if given.mbox.endswith(".gz") else open)(given.mbox, "rb") as file:
        content = file.read()
    with open(given.records, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    starts = split_mbox(content)
    of_message = collections.defaultdict(list)
    broken = []
    for record in records:
        if not decodes(content[record["start"] : record["end"]], record["raw"]):
            broken.append(record)
        of_message[bisect.bisect_right(starts, record["start"]) - 1].append(record)
    comparison = Comparison()
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(content)
        comparison.add(index, content[start:end], of_message[index])
    missed = sum(comparison.missed.values())
    wanted = comparison.shown - comparison.inside
    recall = 1 - missed / wanted if wanted else 1.0
    print(f"messages: {len(starts)}")
    print(f"recall: {recall:.4%} ({wanted - missed} of {wanted})")
    print(f"inside another URL, which X11 does not report: {comparison.inside}")
    print_counts("missed", comparison.missed)
    print_counts("beyond", comparison.beyond)
    print(f"spans that do not decode: {len(broken)} of {len(records)}")
    for line in comparison.lines:
        if given.list or line.startswith("missed"):
            print(line)
    for one in broken:
        print(f"span    {one['start']}-{one['end']}: {one['raw']} from {content[one['start'] : one['end']]!r}")
    is_other = given.messages is not None and given.messages != len(starts)
    if is_other:
        print(f"urlmill counted {given.messages} messages, {len(starts)} are there")
    return 1 if recall < RECALL_MIN or broken or is_other else 0


if __name__ == "__main__":
    sys.exit(main())
