# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's shell tests, chosen by tier.

  quick   tests of every day without a program of Python, and the lints
  rest    all others; those with a line `DAYS: N`, once in N days
  full    the tests that have a full version, in that version, those with a line `SHARDS: N` as N tests; of a slice,
          those of which the days of a week do not have everything, in another order each week

Without a tier all tests run in their everyday version, and with `full=1` in their full one.

PARABLOCK_TEST_END is the time, in seconds since 1970-01-01, from which on tests are skipped, those that run then, too.
lit's --max-time limits the wait for one test only.
"""

import copy
import os
import time

import lit.formats
import lit.Test
import tiers


class Shard(lit.Test.Test):
    """One of N parts of a test, with a name and files of its own; programs find K/N in PARABLOCK_SHARD."""

    def __init__(self, test, number, count):
        config = copy.copy(test.config)
        config.environment = {**config.environment, "PARABLOCK_SHARD": f"{number}/{count}"}
        self.source = test.getSourcePath()
        *folder, name = test.path_in_suite
        super().__init__(test.suite, (*folder, f"{name}.{number}of{count}"), config)

    def getSourcePath(self):
        return self.source


class TieredShTest(lit.formats.ShTest):
    def __init__(self, tier=None, part=None):
        super().__init__(execute_external=False)
        self.tier = tier
        self.slice = tiers.Slice(part) if part else None

    def _has(self, name, path, text):
        if self.slice and not self.slice.has(name):
            return False
        if not self.tier:
            return True
        if self.tier == "full":
            return (tiers.exceeds_week if self.slice else tiers.has_full_version)(path, text)
        if tiers.is_quick(path, text):
            return self.tier == "quick"
        return self.tier == "rest" and tiers.is_turn(name, tiers.find_days(text), tiers.find_day(text))

    def execute(self, test, lit_config):
        end = float(os.environ.get("PARABLOCK_TEST_END") or "inf")
        limit = lit_config.maxIndividualTestTime
        left = end - time.time()
        if left < 1:
            return lit.Test.Result(lit.Test.SKIPPED)
        if left < (limit or float("inf")):
            lit_config.maxIndividualTestTime = int(left)
        try:
            result = super().execute(test, lit_config)
        finally:
            lit_config.maxIndividualTestTime = limit
        is_ended = result.code is lit.Test.TIMEOUT and time.time() > end - 1
        return lit.Test.Result(lit.Test.SKIPPED) if is_ended else result

    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path, lit_config, local_config):
            source = test.getSourcePath()
            with open(source, encoding="utf-8") as file:
                text = file.read()
            shards = tiers.find_shards(text) if self.tier == "full" else 1
            for part in [Shard(test, k + 1, shards) for k in range(shards)] if shards > 1 else [test]:
                name = "/".join(part.path_in_suite)
                if not self._has(name, source, text):
                    continue
                if self.slice:
                    # lit begins with what took longest.
                    part.previous_failure = False
                    part.previous_elapsed = -tiers.find_place(name)
                yield part
