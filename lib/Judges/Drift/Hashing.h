//===- Hashing.h - hashes of weights and data -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_HASHING_H
#define PARABLOCK_LIB_DRIFT_HASHING_H

#include "parablock/Execution/Engine.h"
#include "llvm/Support/SHA256.h"

namespace parablock::drift {

/// The digest of tensors in the order in which they are added.
class ContentHash {
public:
  void add(llvm::StringRef name, const runner::Tensor &tensor);
  /// `sha256:` and 64 hex digits.
  std::string finish();

private:
  llvm::SHA256 digest;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_HASHING_H
