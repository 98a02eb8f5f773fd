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

kept = kept_results.Kept(FOLDER)
kept.keep("a test", "a key", {"a": 1})
print("kept:", kept.find("a test", "a key"), kept.find("a test", "another"), kept.find("another", "a key"))
print("in git:", kept_results.get_inputs("/", BUILD) is not None)
