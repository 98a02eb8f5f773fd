//===- PackedNames.h - names of packed parameters ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_PACKEDNAMES_H
#define PARABLOCK_LIB_TRANSFORMS_PACKEDNAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace parablock::block {

/// Sets a name for each result of `prepack`: "packed." and the first parameter
/// that it depends on, "packed.h.0.attn.weight", with ".sums" for sums of a
/// weight's rows, ".bias" for a norm's bias carried through it, and a number if
/// that is `taken`. Keeps existing entries of `names`, by position.
void makePackedNames(mlir::func::FuncOp prepack, llvm::StringSet<> taken,
                     std::vector<std::string> &names);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_PACKEDNAMES_H
