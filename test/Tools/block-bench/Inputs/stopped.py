# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether what measures a peer ends with whoever asked for it.

usage: stopped.py SCRIPTS
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

PEER = f"""
import sys, time
sys.path.insert(0, {sys.argv[1]!r})
import bench_peers
bench_peers.end_with_parent()
print("waits", flush=True)
time.sleep(600)
"""
ASKS = f"""
import subprocess, sys
peer = subprocess.Popen([sys.executable, "-c", {PEER!r}])
print(peer.pid, flush=True)
peer.wait()
"""


def is_running(number):
    status = pathlib.Path(f"/proc/{number}/stat")
    try:
        return status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


asks = subprocess.Popen([sys.executable, "-c", ASKS], stdout=subprocess.PIPE, text=True)
peer = int(asks.stdout.readline())
assert asks.stdout.readline() == "waits\n"
assert is_running(peer)
asks.send_signal(signal.SIGKILL)
asks.wait()
for _ in range(100):
    if not is_running(peer):
        print("nothing runs on")
        sys.exit()
    time.sleep(0.1)
os.kill(peer, signal.SIGKILL)
sys.exit(f"process {peer} runs on")
