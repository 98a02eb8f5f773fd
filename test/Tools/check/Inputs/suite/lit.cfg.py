# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that fail, hang and are skipped, for speaks.test."""

import lit.formats

config.name = "Small"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".txt"]
