# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests of pytest run on a day: pytest_days.py FOLDER CONFTEST."""

import os
import pathlib
import shutil
import subprocess
import sys

TEXT = """import pytest

@pytest.mark.parametrize("number", [0, 1, 2, 3, pytest.param(4, marks=pytest.mark.full)])
def test_cases(number):
    pass

def test_alone():
    pass

@pytest.mark.daily
def test_daily():
    pass
"""


def list_tests(folder, turn, *flags):
    """Names of the tests that run on a day."""
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "--collect-only", "-q", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "PARABLOCK_TURN": str(turn), "PARABLOCK_FULL": str(int("--full" in flags))})
    return {line for line in done.stdout.splitlines() if "::" in line}


folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
shutil.copy(sys.argv[2], folder / "conftest.py")
# A file of which tests run once a week, and one of which they run every day.
names = ["test_tokens.py", "test_of_every_day.py"]
for name in names:
    (folder / name).write_text(TEXT)
days = [list_tests(folder, turn) for turn in range(20785, 20792)]
for name in names:
    every = {f"{name}::test_cases[{number}]" for number in range(4)} | {f"{name}::test_alone"}
    own = [{test for test in day if test.startswith(name)} for day in days]
    daily = f"{name}::test_daily"
    assert all(daily in day for day in own), own
    own = [day - {daily} for day in own]
    if name == "test_tokens.py":
        assert sum(map(len, own)) == len(every) and set.union(*own) == every, own
        assert sorted(sum("cases" in test for test in day) for day in own) == [0, 0, 0, 1, 1, 1, 1], own
    else:
        assert own == [every] * 7, own
print("cases of one test take turns")
# A file whose cases have more days than a week.
(folder / "test_rare.py").write_text("""import pytest, tiers

@pytest.mark.parametrize("number", tiers.take_turn(range(9), 30))
def test_rare(number):
    pass
""")
parts = [list_tests(folder, 20785, "--full", f"--slice={part}/3") for part in (1, 2, 3)]
full = {f"{name}::test_cases[4]" for name in names} | {f"test_rare.py::test_rare[{number}]" for number in range(9)}
assert sum(map(len, parts)) == len(full) and set.union(*parts) == full, parts
print("slices have each test once that no days of a week have")
