# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock tasks`: tasks with one right answer each, to measure drift on."""
