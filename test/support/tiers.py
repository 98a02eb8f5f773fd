# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests, and which cases of a matrix, a run has.

Three environment variables decide, and this module alone reads them in Python:

  PARABLOCK_TURN   the number of a day (days since 1970-01-01); today's where it is absent
  PARABLOCK_FULL   1 asks for full matrices
  PARABLOCK_SHARD  K/N, which of N shards of its full matrix a test runs; all of it where it is absent

A matrix that is too large for every day runs in turn: `take_turn(cases, 4)` returns a quarter of the cases, another
one each day, and all of them, or those of its shard, in a full run.
"""

import os
import re
import time
import zlib

FULL = os.environ.get("PARABLOCK_FULL") == "1"
TURN = int(os.environ.get("PARABLOCK_TURN") or time.time() // 86400)

#: What a test or its script contains if it has a full version.
_HAS_FULL = re.compile(r"REQUIRES:.*\bfull\b|\bimport tiers\b|\bfrom tiers import\b")

#: What it contains if the days of a week together do not have all of that.
_HAS_MORE = re.compile(r"REQUIRES:.*\bfull\b|%if full\b|\btiers\.FULL\b|\bIS_FULL\b")

#: How a program chooses its cases of a day, with the days if they are a number there.
_TURNS = re.compile(r"\btake_turn\((?:.*?, (\d+)[,)])?")

#: A line of a lit test that runs once in so many days, on one of them if it is named; its name chooses one otherwise.
_DAYS = re.compile(r"^(?://|#)? ?DAYS: (\d+)(?:, day (\d+))?$", re.MULTILINE)

#: A line of a lit test whose full version is so many tests.
_SHARDS = re.compile(r"^(?://|#)? ?SHARDS: (\d+)$", re.MULTILINE)


class Slice:
    """One of N parts of the full tests, as `K/N`; by name, so that a new test moves no other one."""

    def __init__(self, text):
        match = re.fullmatch(r"(\d+)/(\d+)", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise ValueError(f"option 'slice' requires K/N with K from 1 to N, got '{text}'")
        self.part, self.parts = int(match[1]), int(match[2])

    def has(self, name):
        return find_offset(name) % self.parts == self.part - 1


#: The part of its cases that a program has, as a test of many shards runs it.
SHARD = Slice(os.environ.get("PARABLOCK_SHARD") or "1/1")


def take_shard(cases):
    """Returns the cases of this shard, every N-th of them."""
    return list(cases)[SHARD.part - 1 :: SHARD.parts]


def take_turn(cases, days, offset=0):
    """Returns the cases of this day: each case runs once in `days` days, or always in a full run."""
    cases = list(cases)
    if FULL:
        return take_shard(cases)
    return [case for place, case in enumerate(cases) if (place + offset + TURN) % days == 0]


def find_offset(name):
    """Returns a number of the name alone, so that tests do not all begin on the same day."""
    return zlib.crc32(name.encode())


def is_turn(name, days, day=None):
    """Returns whether the one test called `name` runs on this day, which is the named one of its days, if any is named:
    long tests name days that have room for them."""
    offset = find_offset(name) if day is None else 1 - day
    return FULL or (offset + TURN) % days == 0


def find_place(name):
    """Returns a number that orders the names of a slice, whose time is limited.

    The thirds of all names take turns to be first, a week each, so that three weeks reach what one has no time for.
    """
    offset = find_offset(name) // 7
    return (offset + TURN // 7) % 3 + offset % 1000 / 1000


def find_days(text):
    """Returns the N of a lit test that runs once in N days, 1 for every day."""
    match = _DAYS.search(text)
    return int(match[1]) if match else 1


def find_day(text):
    """Returns which of these days a lit test names, None without a name."""
    match = _DAYS.search(text)
    return int(match[2]) if match and match[2] else None


def find_shards(text):
    """Returns the N of a lit test whose full version is N tests, 1 for the others."""
    match = _SHARDS.search(text)
    return int(match[1]) if match else 1


def is_quick(path, text):
    """Returns whether a test is a lint, or runs no program of Python and every day."""
    return "/lint/" in path or ("%python" not in text and find_days(text) == 1)


def has_full_version(path, text):
    """Returns whether a test, or a script beside it that a RUN line names, does more in a full run."""
    if find_days(text) > 1 or find_shards(text) > 1:
        return True
    return any(_HAS_FULL.search(source) for source in read_sources(path, text))


def exceeds_week(path, text):
    """Returns whether the days of a week together do not have all of a lit test's full version: slices have such tests
    alone."""
    if find_shards(text) > 1:
        return True
    return any(source_exceeds_week(source, find_days(text)) for source in read_sources(path, text))


def source_exceeds_week(source, days):
    """Returns whether a program that runs once in so many days does not run whole in a week. Days of its cases that are
    no number in the program count as more than that."""
    periods = [days, *(days * int(own or 8) for own in _TURNS.findall(source))]
    return bool(_HAS_MORE.search(source)) or max(periods) > 7


def read_sources(path, text):
    """Yields the text of a test, and those of the scripts that its RUN lines name, as far as they exist."""
    yield text
    for folder, script in re.findall(r"%(S|root)/(\S+\.py)", text):
        found = os.path.join(os.path.dirname(path) if folder == "S" else find_root(path), script)
        if os.path.exists(found):
            with open(found, encoding="utf-8") as file:
                yield file.read()


def find_root(path):
    """Returns the folder that has `test` among the folders above a test."""
    return path[: path.rindex(os.sep + "test" + os.sep)]
