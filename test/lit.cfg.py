# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test suite. `./check` runs it; so does lit on the build tree's test folder.

Parameters: tier=quick|rest|full and slice=K/N choose tests (support/tiered_tests.py);
full=1 asks for full matrices (feature `full`). Environment: PARABLOCK_TURN is the day
whose part of a matrix runs (support/tiers.py); PARABLOCK_VERIFY_ROUNDTRIP=0 takes
--verify-roundtrip from the command lines of block-opt.

A tree that has run nothing begins with the tests of .lit_test_times.txt, which take
longest, so that none of them is left at the end; lit keeps times of its own after that.
"""

import glob
import os
import sys

source_root = config.parablock_source_root
build_root = config.parablock_build_root

config.name = "Parablock"
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "downstream", "support"]
config.test_source_root = os.path.join(source_root, "test")
config.test_exec_root = os.path.join(build_root, "test")

# Modules that the tests' programs share; this file and lit.local.cfg files import them, too.
support = os.path.join(config.test_source_root, "support")
sys.path.insert(0, support)
config.environment["PYTHONPATH"] = support
import processor
import tiered_tests

tier = lit_config.params.get("tier")
config.test_format = tiered_tests.TieredShTest(tier, lit_config.params.get("slice"))

# Tools are found by name: ours first, then those of LLVM (FileCheck, not, ...).
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build_root, "bin"), config.llvm_tools, os.environ.get("PATH", "")]
)

# An error of the sanitizers is a failure, whatever exit code a test expects. The
# libraries of LLVM are not instrumented, so their containers carry no marks, and what
# they take from an allocator that our side marked stays marked. More memory than there is
# ends a call, not the program.
config.environment["ASAN_OPTIONS"] = (
    "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"
)
config.environment["TSAN_OPTIONS"] = (
    f"halt_on_error=1:suppressions={source_root}/test/thread-sanitizer.supp"
)
config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:abort_on_error=1:print_stacktrace=1"

venv_python = os.path.join(build_root, "venv", "bin", "python")
if not os.path.exists(venv_python):
    venv_python = sys.executable
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Nothing is left in the user's folders, and nothing is taken from there.
config.environment["PARABLOCK_CACHE"] = "0"


def plain_word(word):
    """A regular expression for `word` as a command, not as part of a path."""
    return r"(?<![-./\w=])" + word + r"(?![-./\w])"


# Every block-opt of a command line also compares what it reads with what it prints.
if os.environ.get("PARABLOCK_VERIFY_ROUNDTRIP") != "0":
    config.substitutions.append((plain_word("block-opt"), "block-opt --verify-roundtrip"))

# A program of a sanitized library has the functions of that library's compiler.
cc, cxx = "cc", "c++"
if config.sanitizers:
    cxx = f"{config.cmake_cxx_compiler} -fsanitize={config.sanitizers}"
    cc = cxx.replace("clang++", "clang")

config.substitutions += [
    ("%cc", cc),
    ("%cplusplus", cxx),
    ("%python", venv_python),
    ("%toolchain", os.path.dirname(config.llvm_tools)),
    ("%root", source_root),
    ("%build", build_root),
    ("%plugin", os.path.join(build_root, "lib", "ParablockPlugin.so")),
    ("%stock_mlir_opt", os.path.join(config.llvm_tools, "mlir-opt")),
    ("%llvm_tools", config.llvm_tools),
    ("%cmake", config.cmake_command),
    ("%cxx_compiler", config.cmake_cxx_compiler),
]

if "PARABLOCK_TURN" in os.environ:
    config.environment["PARABLOCK_TURN"] = os.environ["PARABLOCK_TURN"]
if tier == "full" or lit_config.params.get("full") == "1":
    config.available_features.add("full")
    config.environment["PARABLOCK_FULL"] = "1"
else:
    # What is as it was yesterday is not compiled again (kept_code.py, ptx_checks.py).
    config.environment["PARABLOCK_TEST_CODES"] = os.path.join(build_root, "codes")
    config.environment["PARABLOCK_EMULATOR_CACHE"] = os.path.join(build_root, "emulated")
    config.environment["PARABLOCK_PTX_CACHE"] = os.path.join(build_root, "ptx")
if config.sanitizers:
    config.available_features.add("sanitizers")
if processor.is_wide():
    config.available_features.add("avx512-bf16")
# `./check --core` does without.
if glob.glob(os.path.join(build_root, "venv", "lib", "python*", "site-packages", "torch")):
    config.available_features.add("torch")
if glob.glob(
    os.path.join(build_root, "venv", "lib", "python*", "site-packages", "parablock-*.dist-info")
):
    config.available_features.add("parablock")
