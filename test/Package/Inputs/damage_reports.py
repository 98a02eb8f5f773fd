#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage_reports.py PACKAGE NONE OTHER: copies whose first reports are left out, or in an input."""

import hashlib
import json
import pathlib
import shutil
import sys

package, without, elsewhere = map(pathlib.Path, sys.argv[1:])
for copy in (without, elsewhere):
    shutil.copytree(package, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    launch = next(each for each in manifest["chips"][0]["plan"]["launches"] if "reports" in each)
    if copy == without:
        del launch["reports"]
    else:
        launch["reports"]["word"] = 0
    data = json.dumps(manifest).encode()
    (copy / "manifest.json").write_bytes(data)
    (copy / "manifest.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  manifest.json\n")
