#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what pack.py made; see hardware.sh."""

import argparse
import csv
import datetime
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import time

# Seconds that a case may take: kernels that wait for each other never end, and torch.compile may take minutes.
CASE_SECONDS = {"matrix": 120, "door": 240, "sanitizer": 300, "counters": 300}
BENCHMARK_SECONDS, START_SECONDS = 900, 120
NO_DEVICE, UNFINISHED = 4, 5
# What bounds a kernel: tensor instructions, conflicts of shared memory, warps that wait for memory barriers, and bytes.
COUNTERS = ("sm__inst_executed_pipe_tensor.sum", "l1tex__data_bank_conflicts_pipe_lsu.sum",
            "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
            "dram__bytes.sum", "gpu__time_duration.sum")


class Results:
    """Written after every case: what was measured stays, whatever comes. Another run with the same file goes on."""

    def __init__(self, path, facts):
        self.path, self.data = path, {"schema": 1, **facts, "cases": []}
        if path.exists():
            before = json.loads(path.read_text())
            if any(before.get(name) != facts[name] for name in ("commit", "dry_run")):
                sys.exit(f"error: {path} is of another commit or kind of run")
            self.data = before

    def find(self, case):
        key = (case["kind"], case["name"], case.get("chip"))
        return [entry for entry in self.data["cases"] if (entry["kind"], entry["name"], entry["asked"]) == key]

    def has(self, case):
        """Whether a case is done: one that the end of the time has cut is done again by another run."""
        return any("cut" not in entry for entry in self.find(case))

    def add(self, case, entry):
        print(("ok   " if entry["good"] else "FAIL ") + describe(case, entry), flush=True)
        before = self.find(case)
        self.data["cases"] = [each for each in self.data["cases"] if each not in before]
        self.data["cases"].append({"kind": case["kind"], "name": case["name"], "asked": case.get("chip"), **entry})
        self.save()

    def save(self):
        self.path.write_text(json.dumps(self.data, indent=1) + "\n")


def describe(case, entry):
    if "error" in entry:
        return f"{case['name']}: {entry['error']}"
    if case["kind"] == "matrix":
        return f"{case['name']} {entry['chip']} {entry['rel_l2']}"
    if "kernels" in entry:
        return f"{case['name']} {len(entry['kernels'])} kernels"
    if "ours" not in entry:
        return f"{case['name']} {entry.get('unchecked', '')}".rstrip()
    ours = entry["ours"]
    parts = [" ".join([case["name"], *describe_times(ours, "ours "), f"error {ours['rel_l2']:.1e}"])]
    for name, peer in entry["peers"].items():
        isright = peer.get("rel_l2", 1) <= entry["limit"]
        text = peer.get("error", "right, not timed" if isright else f"wrong by {peer.get('rel_l2', 1):.1e}")
        parts.append(" ".join([name, *(describe_times(peer) or [text])]))
    return "; ".join(parts)


def describe_times(entry, prefix=""):
    first = f"first {entry['first_ms']:.4f} ms" if "first_ms" in entry else ""
    found = [f"{entry['ms']:.4f} ms" if "ms" in entry else "", first]
    return [prefix + ", ".join(filter(None, found))] if any(found) else []


class Worker:
    """A process that runs cases. It may die or hang with one, and the next one gets another process."""

    def __init__(self, folder, limit):
        self.process = subprocess.Popen([sys.executable, pathlib.Path(__file__).with_name("worker.py"), folder],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.hello = self.receive(limit)

    def read(self):
        """Queues the answers, and None behind the last one."""
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def receive(self, limit):
        """Returns the next answer, or if there is none in time what was reported of the case."""
        end, entry = time.monotonic() + limit, None
        while True:
            try:
                answer = self.lines.get(timeout=max(end - time.monotonic(), 0))
            except queue.Empty:
                self.stop()
                return name_fault(entry, f"no end after {limit:.0f} seconds")
            if answer is None:
                return name_fault(entry, f"the process ended with code {self.process.wait()}")
            if "partial" not in answer:
                return answer
            entry = answer["partial"]

    def run(self, case, limit):
        try:
            self.process.stdin.write(json.dumps(case) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # receive() says with what it ended
        return self.receive(limit)

    def stop(self):
        self.process.kill()
        self.process.wait()


def name_fault(entry, error):
    """Returns the answer of a worker that gave none: `entry` has what it had reported."""
    if entry is None:
        return {"good": False, "error": error}
    entry["peers"][entry.pop("running")] = {"error": error}
    return {**entry, "stopped": error}


def run_in_workers(folder, cases, limit, results, end):
    """After a fault of one case the next one gets a fresh process, since the device may refuse this one."""
    worker = None
    for case in cases:
        if worker is None:
            worker = Worker(folder, START_SECONDS)
            if "gpu" not in worker.hello:
                return worker.hello["error"]
            results.data["gpu"] = worker.hello["gpu"]
        own = limit or case.get("seconds") or CASE_SECONDS.get(case["kind"], BENCHMARK_SECONDS)
        entry = worker.run(case, min(own, end - time.monotonic()))
        is_stopped = "error" in entry or "stopped" in entry
        if is_stopped and time.monotonic() >= end:
            # It is left for another run, which has time for it; what it has found stays until then.
            if "stopped" in entry:
                results.add(case, {**entry, "cut": True})
            worker.stop()
            return ""
        results.add(case, entry)
        if is_stopped:
            worker.stop()
            worker = None
    if worker:
        worker.stop()
    return ""


def run_sanitizer(tool, folder, case, limit):
    done = subprocess.run(
        [tool, f"--tool={case['tool']}", "--error-exitcode=9", folder / "block-launch", folder / case["package"],
         f"--inputs={folder}/{case['model']}.inputs", f"--weights={folder}/{case['model']}.weights",
         "--graph=off", "--json=/dev/null"], capture_output=True, text=True, timeout=limit)
    if done.returncode:
        return {"good": False, "error": (done.stdout + done.stderr)[-2000:].strip()}
    return {"good": True}


def find_tool(name, kind, results):
    tool = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not tool:
        results.data[kind] = "not installed: not run"
        print(f"{name} is not installed: not run")
    return tool


def run_counters(tool, folder, case, limit):
    """What the device counted in each kernel of a run on random data."""
    command = [tool, "--csv", "--target-processes=all", f"--metrics={','.join(COUNTERS)}", sys.executable,
               pathlib.Path(__file__).with_name("worker.py"), folder]
    done = subprocess.run(command, input=json.dumps(case) + "\n", capture_output=True, text=True,
                          timeout=limit)
    rows = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if done.returncode or len(rows) < 2:
        return {"good": False, "error": (done.stdout + done.stderr)[-2000:].strip()}
    counted = {}
    for row in csv.DictReader(rows):
        counted.setdefault(row["Kernel Name"], {})[row["Metric Name"]] = f"{row['Metric Value']} {row['Metric Unit']}".strip()
    return {"good": True, "kernels": counted}


# Programs that watch a run, and who calls them, by kind of case.
TOOLS = {"counters": ("ncu", run_counters), "sanitizer": ("compute-sanitizer", run_sanitizer)}


def describe_device():
    """Clocks and the driver, as they are."""
    fields = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.limit"
    try:
        done = subprocess.run(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"], capture_output=True,
                              text=True, timeout=30)
        return dict(zip(fields.split(","), (word.strip() for word in done.stdout.split("\n")[0].split(","))))
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return {}


def choose_cases(packed, skipped, only):
    """What there is to run, in order."""
    cases = []
    matrix = [case for case in packed if case["kind"] == "matrix"]
    experiments = [case for case in packed if "variants" in case]
    if "matrix" not in skipped:
        cases += [{**case, "chip": chip} for case in matrix for chip in (None, "sm_80")]
    if "experiments" not in skipped:
        cases += experiments
    if "counters" not in skipped:
        cases += [{"kind": "counters", "name": f"counters-{case['name']}", "package": case["package"]}
                  for case in experiments]
    if "sanitizer" not in skipped:
        cases += [{"kind": "sanitizer", "name": f"{tool}-{case['name']}", "tool": tool, "model": case["name"],
                   "package": case["package"]}
                  for case in matrix[:6] for tool in ("memcheck", "racecheck", "synccheck", "initcheck")]
    if "doors" not in skipped:
        doors = [case for case in packed if case["kind"] == "door"]
        cases += list(filter(None, map(leave_out_compiled, doors))) if "compile" in skipped else doors
    if "benchmark" not in skipped:
        cases += [{**case, "compiles": "compile" not in skipped} for case in packed
                  if case["kind"] not in ("matrix", "door") and "variants" not in case]
    return [case for case in cases if only in case["name"]]


def leave_out_compiled(case):
    """Returns a door without peers that PyTorch compiles, or None where it has no other ones."""
    peers = [name for name in case["peers"] if name not in case["compiled"]]
    return {**case, "peers": peers} if peers else None


def run_all(folder, cases, results, end, limit):
    """Returns what kept it from going on, or an empty string. Begins nothing once the time is over."""
    def in_time(chosen):
        for case in chosen:
            if time.monotonic() < end:
                yield case
    first = [case for case in cases if case["kind"] == "matrix" or "variants" in case]
    rest = [case for case in cases if case not in first and case["kind"] not in TOOLS]
    for workers, kind in ((first, "counters"), (rest, "sanitizer")):
        if problem := run_in_workers(folder, in_time(workers), limit, results, end):
            return problem
        command, run = TOOLS[kind]
        own = [case for case in cases if case["kind"] == kind]
        tool = find_tool(command, kind, results) if own else None
        for case in in_time(own) if tool else []:
            try:
                most = min(limit or CASE_SECONDS[kind], end - time.monotonic())
                results.add(case, run(tool, folder, case, most))
            except subprocess.TimeoutExpired as error:
                if time.monotonic() < end:
                    results.add(case, {"good": False, "error": str(error)})
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", type=pathlib.Path, required=True)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--skip", default="")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing after so many, and leave what runs then")
    parser.add_argument("--case-seconds", type=float, help="the most that a case may take")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    flags = parser.parse_args()
    folder = (flags.folder or flags.here).resolve()
    packed = json.loads((folder / "packed.json").read_text())
    if flags.dry_run:
        os.environ["PARABLOCK_CUDA_DRIVER"] = (folder / "driver").read_text()
        os.environ["PARABLOCK_FAKE_PACKAGES"] = str(folder)
    now = datetime.datetime.now(datetime.timezone.utc)
    results = Results(flags.results or folder / f"gpu-{now:%Y%m%d-%H%M%S-%f}-{packed['commit'][:8]}.json",
                      {"date": now.isoformat(timespec="seconds"), "commit": packed["commit"],
                       "dry_run": flags.dry_run, "device": describe_device()})
    wanted = choose_cases(packed["cases"], flags.skip.split(","), flags.only)
    todo = [case for case in wanted if not results.has(case)]
    problem = run_all(folder, todo, results, time.monotonic() + flags.seconds, flags.case_seconds)
    if problem:
        print(f"error: {problem}", file=sys.stderr)
        return NO_DEVICE
    results.save()
    failed = sum(not entry["good"] for entry in results.data["cases"])
    passed = len(results.data["cases"]) - failed
    left = [case["name"] for case in wanted
            if not results.has(case) and (case["kind"] not in TOOLS or case["kind"] not in results.data)]
    print("".join(f"left {name}: no time\n" for name in left), end="")
    print(f"{passed} passed, {failed} failed, {len(left)} left; {results.path}")
    return 1 if failed or not passed else UNFINISHED if left else 0


if __name__ == "__main__":
    sys.exit(main())
