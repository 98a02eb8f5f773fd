#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every projection of a report of block-drift --quantize is better compensated.

usage: compensated.py REPORT.json
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
worse = [
    f"{each['index']}.{each['projection']}"
    for each in report["projections"]
    if not 0 < each["error"]["compensated"] < each["error"]["nearest"]
]
assert len(report["projections"]) == 12 and not worse, worse
assert all(each["lost_codes"] == 0 for each in report["projections"])
assert report["kl"]["compensated"] < 0.5 * report["kl"]["nearest"], report["kl"]
