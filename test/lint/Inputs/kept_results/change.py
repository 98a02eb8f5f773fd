"""Says whose keys change with a file that seems to: change.py ROOT BUILD FOLDER"""

import os
import pathlib
import sys

ROOT, BUILD, FOLDER = sys.argv[1:]
sys.path.insert(0, os.path.join(ROOT, "test"))
import kept_results

TESTS = (
    "test/Dialect/pure.mlir",
    "test/Transforms/block-explain/doc.mlir",
    "test/Interpret/past.test",
    "test/Ways/ways.test",
    "test/lint/words.test",
    "python/tests/test_train.py",
)
hash_file = kept_results.hash_file


def make_keys(changed=""):
    def hash_other(path):
        return hash_file(path) + ("changed" if changed and str(path).endswith("/" + changed) else "")

    kept_results.hash_file = hash_other
    inputs = kept_results.Inputs(ROOT, BUILD, kept_results.list_sources(ROOT))
    return {test: inputs.make_key(test) for test in TESTS}


keys = make_keys()
for path in (
    "",
    "test/Transforms/block-explain/doc.mlir",
    "test/Dialect/pure.mlir",
    "test/Ways/covering.py",
    "scripts/foreign/judge.py",
    "python/parablock/model.py",
    "python/tests/families.py",
    "docs/Raise.md",
    "test/lit.cfg.py",
    "bin/block-opt",
    "bin/block-bench",
    "bin/block-reduce",
    "bin/ptxas",
    "lib/libparablock-c.so",
):
    others = make_keys(path)
    print(f"{path or 'nothing'}:", *(pathlib.PurePath(test).name for test in TESTS if keys[test] != others[test]))

# Packages that are installed, but for what Python makes of them and for ours.
packages = pathlib.Path(FOLDER, "venv/lib/python3/site-packages")
files = [packages / name for name in ("numpy.py", "torch/ops.so", "torch/__pycache__/ops.pyc", "parablock/_core.so")]
for path in files:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("1")
for path in files:
    before = kept_results.describe_packages(pathlib.Path(FOLDER))
    os.utime(path, ns=(0, 0))
    print(f"{path.name}:", kept_results.describe_packages(pathlib.Path(FOLDER)) != before)
for name in ("SHLVL", "MKL_CBWR"):
    before = kept_results.describe_machine(pathlib.Path(BUILD))
    os.environ[name] = "a"
    print(f"{name}:", kept_results.describe_machine(pathlib.Path(BUILD)) != before)
linked = kept_results.list_linked([os.path.join(BUILD, "bin", "block-opt")], BUILD)
print("linked:", *(name for name in ("libLLVM", "libMLIR", "libc.so") if any(f"/{name}" in line for line in linked)))

# What is written while a test runs.
describe_file = kept_results.describe_file
inputs = kept_results.Inputs(ROOT, BUILD, kept_results.list_sources(ROOT))
for test in TESTS:
    inputs.make_key(test)
for path in ("test/Dialect/pure.mlir", "bin/block-bench", "lib/libparablock-c.so"):
    kept_results.describe_file = lambda file: describe_file(file) + (" later" if str(file).endswith("/" + path) else "")
    print(f"{path} while tests run:", *(pathlib.PurePath(test).name for test in TESTS if not inputs.stay(test)))
kept_results.describe_file = describe_file
print("else:", all(map(inputs.stay, TESTS)))

kept = kept_results.Kept(FOLDER)
kept.keep("a test", "a key", {"a": 1})
print("kept:", kept.find("a test", "a key"), kept.find("a test", "another"), kept.find("another", "a key"))
print("in git:", kept_results.get_inputs("/", BUILD) is not None)
