# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes a folder of model IR all the way to packages, and judges their numbers: judge.py FOLDER [options]

Each file becomes a package in one step for each chip, with PTX and, by ptxas, machine code; the emulator runs it, and
its results are compared with what the float64 evaluator makes of the file itself. A line for each file and chip: `ok`,
`refused` with the tools' words, or `WRONG`, which also a crash is. The last line counts. With --every=N packages are
made of every N-th file and of those with open sizes; of the others, the rewritten model runs on the reference engine.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Judge:
    def __init__(self, options):
        self.options = options

    def call(self, tool, *arguments):
        path = self.options.tools / tool
        try:
            return subprocess.run([path, *map(str, arguments)], capture_output=True, text=True,
                                  timeout=self.options.seconds, check=False)
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(error.cmd, 124, "", f"no end after {error.timeout} s")

    def judge(self, file, chip, is_package):
        """(verdict, words)"""
        folder = pathlib.Path(tempfile.mkdtemp())
        try:
            if not is_package:
                rewritten = folder / "model.mlir"
                made = self.call("block-opt", file, "--block-raise", f"--block-optimize=chip={chip}", "-o", rewritten)
                if made.returncode != 0:
                    return self.describe(made, "rewriting")
                return self.compare(file, rewritten, "--engine=reference")
            package = folder / "model.pbk"
            made = self.call("block-translate", "--block-to-package", f"--chip={chip}", file, "-o", package)
            if made.returncode != 0:
                return self.describe(made, "package")
            missing = [n for n in (f"{chip}.ptx", f"{chip}.cubin") if not (package / n).exists()]
            if missing:
                return "WRONG", f"no {missing[0]}"
            if self.options.no_numbers:
                return "ok", ""
            # What is open in the collection is the batch, by as many names as there are inputs.
            names = json.loads((package / "manifest.json").read_text()).get("dims", [])
            dims = ["--dims=" + ",".join(f"{name}=3" for name in names)] if names else []
            return self.compare(file, package, "--engine=emulate", f"--chip={chip}", *dims)
        finally:
            shutil.rmtree(folder)

    def compare(self, file, result, *flags):
        run = self.call("block-run", result, *flags, "--seed=1", f"--baseline={file}")
        if run.returncode != 0:
            return self.describe(run, "run")
        return "ok", next(line for line in run.stdout.splitlines() if line.startswith("PASS"))[:100]

    @staticmethod
    def describe(done, step):
        words = [line for line in done.stderr.splitlines() if "error:" in line]
        words = words[0].split("error:", 1)[1].strip() if words else (done.stderr or done.stdout)[-200:]
        is_refusal = done.returncode == 1 and "error:" in done.stderr
        return ("refused" if is_refusal else "WRONG"), f"{step}: {words}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--chips", default="sm_80,sm_90a")
    parser.add_argument("--only", default="", help="names that hold this")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="packages of every N-th file alone")
    parser.add_argument("--no-numbers", action="store_true", help="compiles alone")
    parser.add_argument("--seconds", type=int, default=600, help="for each step")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    judge = Judge(options)
    files = [file for file in sorted(options.folder.glob("*.mlir")) if options.only in file.name]
    cases = [(file, chip, number % options.every == 0 or "tensor<?" in file.read_text())
             for number, file in enumerate(files) for chip in options.chips.split(",")]
    counts, rows = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (file, chip, _), (verdict, words) in zip(cases, pool.map(lambda case: judge.judge(*case), cases)):
            counts[verdict] += 1
            rows.append({"file": file.stem, "chip": chip, "verdict": verdict, "words": words})
            print(f"{verdict} {file.stem} {chip} {words}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{counts['ok']} of {len(cases)} ok, {counts['refused']} refused, {counts['WRONG']} wrong")
    sys.exit(3 if counts["WRONG"] else 0)


if __name__ == "__main__":
    main()
