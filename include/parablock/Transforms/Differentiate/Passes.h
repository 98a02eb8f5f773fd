//===- Passes.h - passes that build gradients -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_PASSES_H
#define PARABLOCK_DIFFERENTIATE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock::block {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Transforms/Differentiate/Passes.h.inc"

} // namespace parablock::block

#endif // PARABLOCK_DIFFERENTIATE_PASSES_H
