# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the rules of tiers.py over every day of a turn and every part of a slice."""

import os
import pathlib
import subprocess
import sys

import tiers

NAMES = [f"Folder/name-{number}.test" for number in range(500)]
ASK = "import tiers; print(*tiers.take_turn(range(10), 3), *(int(tiers.is_turn(f'test {n}', 4)) for n in range(40)))"


def ask(**environment):
    """The cases, and whether each of 40 names has its turn, in a run of its own."""
    words = subprocess.run([sys.executable, "-c", ASK], env={**os.environ, **environment},
                           capture_output=True, text=True, check=True).stdout.split()
    return set(words[:-40]), [word == "1" for word in words[-40:]]


days = [ask(PARABLOCK_TURN=str(20785 + day), PARABLOCK_FULL="") for day in range(12)]
for first in range(10):
    cases = [days[first + day][0] for day in range(3)] if first + 3 <= 12 else []
    assert not cases or sum(map(len, cases)) == 10 == len(set.union(*cases)), cases
assert all(sum(days[first + day][1][name] for day in range(4)) == 1 for first in range(8) for name in range(40))
assert {5 < sum(turns) < 15 for _, turns in days} == {True}, "the days are not alike"
print("every case and every name runs once in its days")

for turn in range(20785, 20797):
    tiers.TURN, tiers.FULL = turn, False
    assert [tiers.is_turn("any", 4, day) for day in range(1, 5)] == [turn % 4 == day - 1 for day in range(1, 5)]
assert tiers.find_days("DAYS: 4, day 3") == 4 and tiers.find_day("DAYS: 4, day 3") == 3 and tiers.find_day("DAYS: 4") is None
print("a day that is named is that day")

cases, turns = ask(PARABLOCK_TURN="1", PARABLOCK_FULL="1")
assert len(cases) == 10 and all(turns)
shards = [ask(PARABLOCK_TURN="1", PARABLOCK_FULL="1", PARABLOCK_SHARD=f"{part}/3")[0] for part in (1, 2, 3)]
assert sum(map(len, shards)) == 10 == len(set.union(*shards)) and min(map(len, shards)) == 3, shards
print("a full run has all of them, and three shards each once")

parts = [[name for name in NAMES if tiers.Slice(f"{part}/5").has(name)] for part in range(1, 6)]
assert sorted(sum(parts, [])) == sorted(NAMES) and min(map(len, parts)) > 70
print("five slices have each name once")

PLACES = "import tiers; print(*sorted((f'name {n}' for n in range(300)), key=tiers.find_place), sep=';')"
orders = [subprocess.run([sys.executable, "-c", PLACES], env={**os.environ, "PARABLOCK_TURN": str(20783 + 7 * week)},
                         capture_output=True, text=True, check=True).stdout.strip().split(";") for week in range(3)]
assert all(set(order) == set(orders[0]) and order != sorted(order) for order in orders)
assert len(set.union(*(set(order[:130]) for order in orders))) == 300
assert not set(orders[0][:70]) & set(orders[1][:70]), "two weeks begin alike"
print("three weeks begin with other thirds")

for wrong in ("0/7", "8/7", "1", "a/b"):
    try:
        tiers.Slice(wrong)
        print("no error for", wrong)
    except ValueError as error:
        print(error)

folder = pathlib.Path(sys.argv[1]) / "test" / "Folder"
folder.mkdir(parents=True, exist_ok=True)
(folder / "turns.py").write_text("import tiers\ntiers.take_turn(range(9), 4)\n")
(folder / "days.py").write_text("import tiers\ntiers.take_turn(range(9), days)\n")
(folder / "full.py").write_text("import tiers\nprint(tiers.FULL)\n")
(folder / "plain.py").write_text("import os\n")
TEXTS = {
    "shell": "RUN: true",
    "shell, every other day": "DAYS: 2\nRUN: true",
    "program whose cases take turns": "RUN: %python %S/turns.py",
    "program, every third day, of such cases": "DAYS: 3\nRUN: %python %S/turns.py",
    "program with days that are no number": "RUN: %python %S/days.py",
    "program with a full matrix": "RUN: %python %S/full.py",
    "program": "RUN: %python %S/plain.py",
    "program, every third day": "// DAYS: 3\n// RUN: %python %S/plain.py",
    "program, on the second of three days": "# DAYS: 3, day 2\n# RUN: %python %S/plain.py",
    "full": "REQUIRES: full\nRUN: true",
    "shards": "SHARDS: 2\nRUN: %python %S/plain.py",
    "no such line": "CHECK: DAYS: 3\nRUN: true",
}
for name, text in TEXTS.items():
    path = str(folder / "a.test")
    print(f"{name}:", "quick" if tiers.is_quick(path, text) else f"once in {tiers.find_days(text)}",
          "and in full" * tiers.has_full_version(path, text) + ", and in slices" * tiers.exceeds_week(path, text))
