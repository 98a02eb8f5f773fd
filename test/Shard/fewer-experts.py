# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fewer-experts.py FROM TO: the same weights with six experts."""

import sys

import safetensors_io

weights = safetensors_io.read(sys.argv[1])
safetensors_io.write(sys.argv[2], {name: value[:6] if "experts" in name else value for name, value in weights.items()})
