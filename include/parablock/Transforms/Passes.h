//===- Passes.h - rewrites of block IR --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PASSES_H
#define PARABLOCK_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock::block {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Transforms/Passes.h.inc"

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PASSES_H
