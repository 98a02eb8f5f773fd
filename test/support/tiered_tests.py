# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's shell tests, chosen by tier.

  quick   tests of every day without a program of Python, and the lints
  rest    all others; those with a line `DAYS: N` or `DAYS: N, day K`, once in N days
  full    the tests of one slice that have a full version, in that version; in another order each week

Without a tier all tests run in their everyday version, and with `full=1` in their full one.
"""

import lit.formats
import tiers


class TieredShTest(lit.formats.ShTest):
    def __init__(self, tier=None, part=None):
        super().__init__(execute_external=False)
        self.tier = tier
        self.slice = tiers.Slice(part) if part else None

    def _has(self, test):
        if self.slice and not self.slice.has("/".join(test.path_in_suite)):
            return False
        if not self.tier:
            return True
        path = test.getSourcePath()
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if self.tier == "full":
            return tiers.has_full_version(path, text)
        if tiers.is_quick(path, text):
            return self.tier == "quick"
        name = "/".join(test.path_in_suite)
        return self.tier == "rest" and tiers.is_turn(name, tiers.find_days(text), tiers.find_day(text))

    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path, lit_config, local_config):
            if self._has(test):
                if self.slice:
                    # lit begins with what took longest.
                    test.previous_failure = False
                    test.previous_elapsed = -tiers.find_place("/".join(test.path_in_suite))
                yield test
