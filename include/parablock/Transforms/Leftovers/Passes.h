//===- Passes.h - passes on leftover ops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_PASSES_H
#define PARABLOCK_LEFTOVERS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Transforms/Leftovers/Passes.h.inc"

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_PASSES_H
