//===- MutateIR.h - IR made wrong -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_MUTATEIR_H
#define PARABLOCK_UNITTESTS_FUZZ_MUTATEIR_H

#include "Random.h"
#include "mlir/IR/BuiltinOps.h"

namespace parablock::fuzz {

/// A few changes of attributes, operands, types and of the order of ops. What
/// is left need not verify.
void mutateIR(mlir::ModuleOp module, Random &random);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_MUTATEIR_H
