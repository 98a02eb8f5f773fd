# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of training: gradients of models, and models that PyTorch trains."""
