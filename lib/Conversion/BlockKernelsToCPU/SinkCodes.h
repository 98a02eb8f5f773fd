//===- SinkCodes.h - weights read as codes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SINKCODES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SINKCODES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace parablock::cpugen {

/// Moves each block.unpack_weight that a product's kernel reads into that
/// kernel, which then reads the codes: through concatenations and slices of
/// rows and through scales, which are applied to codes and scales instead.
void sinkCodes(mlir::func::FuncOp function);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SINKCODES_H
