# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock train`: forms of blocks, trained side by side on one text."""
