# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend of torch.compile, above imports, generation and training."""
