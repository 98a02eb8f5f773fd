# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In the place of bench/worker.py: of the first case the second peer never ends, unless the environment has FAST."""

import json
import os
import sys
import time

print('{"gpu": "none"}', flush=True)
for line in sys.stdin:
    case = json.loads(line)
    first, *rest = case["peers"]
    entry = {"limit": 0.05, "ours": {"rel_l2": 0.001, "first_ms": 2.0, "ms": 0.5}, "good": True,
             "peers": {first: {"rel_l2": 0.002, "first_ms": 4.0}, **{name: {"error": "no time left"} for name in rest}}}
    if rest:
        # Both lines at once.
        print(json.dumps({"partial": {**entry, "running": first}}) + "\n" +
              json.dumps({"partial": {**entry, "running": rest[0]}}), flush=True)
    if rest and "generate" in case["name"] and "FAST" not in os.environ:
        time.sleep(100)
    for name in rest:
        entry["peers"][name] = {"rel_l2": 0.003, "ms": 0.75}
    print(json.dumps(entry), flush=True)
