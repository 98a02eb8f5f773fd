//===- ExpertTensors.h - names of experts in checkpoints --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parameters of experts are stacks, [experts, ...]. Checkpoints have these
// under other names, or a matrix of each expert. python/parablock/weights.py
// knows the same names (python/tests/test_expert_checkpoints.py).
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EXECUTION_EXPERTTENSORS_H
#define PARABLOCK_LIB_EXECUTION_EXPERTTENSORS_H

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::runner {

/// Returns the names under which a tensor may be stored, its own first.
llvm::SmallVector<std::string, 2> listSpellings(llvm::StringRef name);

/// A stack that is stored expert by expert.
struct ExpertStack {
  SafeTensorsEntry entry;
  /// The elements that the entry points to.
  std::vector<uint8_t> bytes;
  std::vector<std::string> parts;
};

using FindTensor =
    llvm::function_ref<const SafeTensorsEntry *(llvm::StringRef)>;

/// Returns the stack of that name, of `least` experts or more, from matrices
/// that `find` returns by name; null if there is no part of one. Fails if a
/// part of an expert is missing, or differs from the first one in type or
/// shape.
llvm::Expected<std::unique_ptr<ExpertStack>>
stackExperts(llvm::StringRef name, size_t least, FindTensor find);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_EXECUTION_EXPERTTENSORS_H
