//===- Passes.h - passes on StableHLO ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_STABLEHLO_PASSES_H
#define PARABLOCK_STABLEHLO_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace parablock::hlo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Frontends/StableHLO/Passes.h.inc"

} // namespace parablock::hlo

#endif // PARABLOCK_STABLEHLO_PASSES_H
