# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modelling code that Model.save_pretrained copies into folders; nothing here imports parablock."""
