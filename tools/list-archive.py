#!/usr/bin/env python3
"""Lists what Python's modules read of a compressed source or an archive: a second reader for test/input/archive-compare.test.ts.

Reads paths, one a line. Writes a line of JSON for each: {"members": [[name, hex digest of SHA-256, bytes], ...], "error": class or null}.
A compressed source has one member without a name. What is read before an error is listed.
"""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import sys
import tarfile
import zipfile

READ_BYTES = 1 << 16


def digest(stream):
    hashed, length, error = hashlib.sha256(), 0, None
    try:
        while chunk := stream.read(READ_BYTES):
            hashed.update(chunk)
            length += len(chunk)
    except Exception as raised:
        error = type(raised).__name__
    return hashed.hexdigest(), length, error


def list_zip(path, members):
    first = None
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            try:
                with archive.open(entry) as stream:
                    text, length, error = digest(stream)
            except Exception as raised:
                text, length, error = digest(io.BytesIO())[:2] + (type(raised).__name__,)
            first = first or error
            members.append([entry.filename, text, length, error])
    return first


def list_tar(path, members):
    first = None
    with tarfile.open(path, "r:", errorlevel=2) as archive:
        for entry in archive:
            if not entry.isreg():
                continue
            text, length, error = digest(archive.extractfile(entry))
            if error is None and length < entry.size:
                error = "ReadError"
            first = first or error
            members.append([entry.name, text, length, error])
    return first


OPENERS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


def list_path(path):
    members = []
    try:
        with open(path, "rb") as file:
            start = file.read(2)
        if start == b"PK":
            error = list_zip(path, members)
        elif start in OPENERS:
            text, length, error = digest(OPENERS[start](path))
            members.append([None, text, length, error])
        else:
            error = list_tar(path, members)
    except Exception as raised:
        error = type(raised).__name__
    return {"members": members, "error": error}


for line in sys.stdin:
    print(json.dumps(list_path(line.rstrip("\n"))), flush=True)
