//===- Prepack.h - runs of @prepack -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_PREPACK_H
#define PARABLOCK_COMPARE_PREPACK_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Execution/ArgumentSupply.h"

namespace parablock::runner {

/// Runs the function that packs parameters of `function` on `engine`, if the
/// module has one, and adds its results to `supply`. Skipped if `weights`
/// (which may be null) already contains every parameter of `function` in packed
/// form.
llvm::Error providePackedParameters(const BoundFunction &function,
                                    const TensorFile *weights,
                                    bool exactArithmetic, Engine &engine,
                                    int64_t rank, ArgumentSupply &supply);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_PREPACK_H
