//===- Passes.h - passes from launches to plans -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_PASSES_H
#define PARABLOCK_DEVICE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Engines/Device/Passes.h.inc"

} // namespace parablock

#endif // PARABLOCK_DEVICE_PASSES_H
