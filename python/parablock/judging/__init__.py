# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.judge`: other people's compiled models beside float64."""
