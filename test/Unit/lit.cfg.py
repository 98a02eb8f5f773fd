# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The unit tests: programs on googletest in the build tree, each case a test of its own."""

import os

import lit.formats

config.name = "Unit"
config.test_source_root = os.path.join(config.parablock_build_root, "unittests")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(config.unittest_folders, "Tests")
