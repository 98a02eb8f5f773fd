#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One table of files that lie, and every reader of the project on each of them."""

import pathlib
import struct
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]


def entry(begin, end, shape=None, dtype="U8", more=""):
    shape = [end - begin] if shape is None else shape
    text = f'"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]{more}'
    return "{" + text + "}"


def header(*pairs):
    return "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"


#: Name, header, bytes of data, whether it is read.
CASES = [
    ("good", header(("a", entry(0, 4)), ("b", entry(4, 8, [2], "I16"))), 8, True),
    ("good in another order", header(("a", entry(4, 8)), ("b", entry(0, 4))), 8, True),
    ("no tensors", "{}", 0, True),
    ("no elements", header(("a", entry(0, 0, [0, 3])), ("b", entry(0, 2))), 2, True),
    ("a scalar", header(("a", entry(0, 1, []))), 1, True),
    ("metadata", header(("__metadata__", '{"format":"pt"}')), 0, True),
    ("space behind", header(("a", entry(0, 1))) + "  \n\t ", 1, True),
    ("more fields", header(("a", entry(0, 1, more=',"x":[1,{"y":null}]'))), 1, True),
    ("a name of any letters", header(("\\u00e9\\ud83d\\ude00\\n", entry(0, 1))), 1, True),
    ("32 dimensions", header(("a", entry(0, 1, [1] * 32))), 1, True),
    # The frame.
    ("no header", "", 0, False),
    ("a list", "[]", 0, False),
    ("space in front", " {}", 0, False),
    ("a byte order mark", "\ufeff{}", 0, False),
    ("half a header", '{"a":', 0, False),
    ("two headers", "{}{}", 0, False),
    ("a comma too many", '{"a":' + entry(0, 1) + ",}", 1, False),
    ("other quotes", "{'a':" + entry(0, 1) + "}", 1, False),
    ("not UTF-8", b'{"\xff":' + entry(0, 1).encode() + b"}", 1, False),
    ("a surrogate", b'{"\xed\xa0\x80":' + entry(0, 1).encode() + b"}", 1, False),
    ("UTF-16", "{}".encode("utf-16-le"), 0, False),
    ("half a character", header(("\\ud800", entry(0, 1))), 1, False),
    ("half a character inside", header(("a", entry(0, 1, more=',"x":["\\udc00"]'))), 1, False),
    ("a control character", header(("\x01", entry(0, 1))), 1, False),
    ("deep lists", header(("a", "[" * 100_000)), 0, False),
    ("nine levels", header(("a", entry(0, 1, more=',"x":' + "[" * 7 + "]" * 7))), 1, False),
    # Keys.
    ("a tensor twice", header(("a", entry(0, 1)), ("a", entry(1, 2))), 2, False),
    ("a tensor twice, spelled", header(("a", entry(0, 1)), ("\\u0061", entry(1, 2))), 2, False),
    ("a field twice", header(("a", entry(0, 1, more=',"dtype":"I8"'))), 1, False),
    ("metadata twice", header(("__metadata__", "{}"), ("__metadata__", "{}")), 0, False),
    ("metadata a list", header(("__metadata__", "[]")), 0, False),
    ("metadata null", header(("__metadata__", "null")), 0, False),
    ("metadata of numbers", header(("__metadata__", '{"a":1}')), 0, False),
    ("metadata's key twice", header(("__metadata__", '{"a":"1","a":"2"}')), 0, False),
    # Entries.
    ("a number as entry", header(("a", "1")), 0, False),
    ("null as entry", header(("a", "null")), 0, False),
    ("no dtype", header(("a", '{"shape":[1],"data_offsets":[0,1]}')), 1, False),
    ("a number as dtype", header(("a", '{"dtype":1,"shape":[1],"data_offsets":[0,1]}')), 1, False),
    ("no shape", header(("a", '{"dtype":"U8","data_offsets":[0,1]}')), 1, False),
    ("no offsets", header(("a", '{"dtype":"U8","shape":[1]}')), 1, False),
    ("three offsets", header(("a", '{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}')), 1, False),
    ("a negative size", header(("a", entry(0, 1, [-1]))), 1, False),
    ("two negative sizes", header(("a", entry(0, 1, [-1, -1]))), 1, False),
    ("minus zero", header(("a", '{"dtype":"U8","shape":[-0],"data_offsets":[0,0]}')), 0, False),
    ("a fraction as size", header(("a", entry(0, 1, [1.0]))), 1, False),
    ("an exponent as size", header(("a", '{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}')), 1, False),
    ("a truth as size", header(("a", '{"dtype":"U8","shape":[true],"data_offsets":[0,1]}')), 1, False),
    ("a string as size", header(("a", '{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}')), 1, False),
    ("NaN as size", header(("a", '{"dtype":"U8","shape":[NaN],"data_offsets":[0,1]}')), 1, False),
    ("a leading zero", header(("a", '{"dtype":"U8","shape":[01],"data_offsets":[0,1]}')), 1, False),
    ("33 dimensions", header(("a", entry(0, 1, [1] * 33))), 1, False),
    ("a size of 65 bits", header(("a", entry(0, 1, [2**64 + 1]))), 1, False),
    ("a product of 65 bits", header(("a", entry(0, 0, [2**32, 2**32]))), 0, False),
    ("bytes of 65 bits", header(("a", entry(0, 0, [2**61], "F64"))), 0, False),
    ("nothing of a large size", header(("a", entry(0, 0, [0, 2**40, 2**40]))), 0, False),
    # Places.
    ("a negative offset", header(("a", entry(-1, 0))), 1, False),
    ("an offset of 64 bits", header(("a", entry(0, 2**64 - 1, [1]))), 1, False),
    ("the end first", header(("a", entry(1, 0, [1]))), 1, False),
    ("too few bytes", header(("a", entry(0, 7, [2], "F32"))), 7, False),
    ("too many bytes", header(("a", entry(0, 9, [2], "F32"))), 9, False),
    ("behind the end", header(("a", entry(0, 4))), 3, False),
    ("the same bytes", header(("a", entry(0, 4)), ("b", entry(0, 4))), 4, False),
    ("an overlap", header(("a", entry(0, 4)), ("b", entry(3, 7))), 7, False),
    ("inside another", header(("a", entry(0, 8)), ("b", entry(2, 4))), 8, False),
    ("a hole in front", header(("a", entry(1, 4))), 4, False),
    ("a hole between", header(("a", entry(0, 2)), ("b", entry(3, 4))), 4, False),
    ("a hole behind", header(("a", entry(0, 2))), 3, False),
    ("bytes of nobody", "{}", 1, False),
]

#: Name, all bytes.
FRAMES = [
    ("empty", b""),
    ("seven bytes", b"\2\0\0\0\0\0\0"),
    ("longer than the file", struct.pack("<Q", 3) + b"{}"),
    ("a length of 64 bits", struct.pack("<Q", 2**64 - 1) + b"{}"),
    ("a length that wraps", struct.pack("<Q", 2**64 - 8) + b"{}"),
]


def write_cases(folder):
    """Paths and whether they are read, by name."""
    made = {}
    for name, text, size, good in CASES:
        text = text if isinstance(text, bytes) else text.encode()
        made[name] = (struct.pack("<Q", len(text)) + text + bytes(size), good)
    made.update((name, (content, False)) for name, content in FRAMES)
    cases = {}
    for number, (name, (content, good)) in enumerate(made.items()):
        path = folder / f"{number}.safetensors"
        path.write_bytes(content)
        cases[name] = (path, good)
    return cases


def import_reader():
    """The package's reader of weights, without its compiled core."""
    package = types.ModuleType("parablock")
    package.__path__ = [str(ROOT / "python" / "parablock")]
    sys.modules["parablock"] = package
    from parablock import errors, weights

    return weights.read_safetensors, errors.Error


def read_in_python(path, read, error):
    try:
        read(path)
    except error as problem:
        return str(problem)
    return "ok"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    cases = write_cases(folder)
    paths = [path for path, _ in cases.values()]
    done = subprocess.run([program, *paths], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    read, error = import_reader()
    wrong = 0
    for number, (name, (path, good)) in enumerate(cases.items()):
        answers = {
            "compiler": lines[2 * number],
            "launcher": lines[2 * number + 1],
            "Python": read_in_python(path, read, error),
        }
        for reader, answer in answers.items():
            # Errors name the file.
            if (answer == "ok") != good or (not good and str(path) not in answer):
                print(f"{name}: {reader}: {answer}")
                wrong += 1
    print(f"{3 * len(cases)} answers, {wrong} wrong")
    return 1 if wrong or len(lines) != 2 * len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
