# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.judge`: comparison of compiled models with float64."""
