# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running tools, and telling refusals from failures."""

import pathlib
import re
import subprocess

CRASH = re.compile(r"PLEASE submit|Stack dump|Assertion|Traceback|AddressSanitizer|runtime error:")
SIZES = "345678"


class Problem(Exception):
    """What must not happen."""


class Refused(Exception):
    """A clear error with exit code 1, and nothing written."""

    def __init__(self, command, text):
        super().__init__(f"{command}: {text.strip()[:400]}")
        self.text = text


def run(*command, writes=None):
    """Standard output of a command. `writes` is the file that a refusal must not leave."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    text, line = done.stdout + done.stderr, " ".join(words)
    if CRASH.search(text) or done.returncode not in (0, 1):
        raise Problem(f"{line}: exit code {done.returncode}: {text.strip()[-600:]}")
    if done.returncode == 0:
        return done.stdout
    if "error: " not in done.stderr:
        raise Problem(f"{line}: fails without an error: {text.strip()[-600:]}")
    if writes and pathlib.Path(writes).exists():
        raise Problem(f"{line}: is refused and leaves {writes}")
    raise Refused(line, done.stderr)


class Source:
    """A file of another tool, and what block-raise makes of it."""

    def __init__(self, path, scratch):
        self.path, self.name = path, path.stem
        self.raised = scratch / f"{path.stem}.raised.mlir"
        self.is_raised = False

    def raise_blocks(self):
        self.raised.unlink(missing_ok=True)
        run("block-opt", self.path, "--block-raise", "-o", self.raised)
        text = self.raised.read_text()
        if "block.layer" not in text:
            raise Problem("no layer is recognised")
        self.sizes = self._choose_sizes(text)
        self.is_raised = True

    def _choose_sizes(self, text):
        """--dims of the names of open sizes, in order of appearance."""
        lists = re.findall(r"block\.dims = \[([^\]]*)\]", text)
        names = dict.fromkeys(name for each in lists for name in re.findall(r'"([^"]+)"', each))
        for number, shape in re.findall(r'%arg\d+: tensor<([?\dx]*)x\w+> \{(?![^}]*block\.dims)[^}]*block\.input = "(\w+)"', text):
            names |= {f"{shape}.d{dim}": None for dim, size in enumerate(number.split("x")) if size == "?"}
        return ["--dims=" + ",".join(f"{name}={size}" for name, size in zip(names, SIZES))] if names else []

    @property
    def values(self):
        """The same inputs and weights wherever they are drawn."""
        return ["--seed=7", *self.sizes]
