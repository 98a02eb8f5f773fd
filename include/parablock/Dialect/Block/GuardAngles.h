//===- GuardAngles.h - angles of zeros are constants ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_GUARDANGLES_H
#define PARABLOCK_IR_GUARDANGLES_H

#include "mlir/IR/Operation.h"

namespace parablock {

/// Writes every `math.atan2` within `root` so that folding constants gives what
/// running it gives: upstream's folder makes NaN of two zeros, for which C and
/// PyTorch have 0 or pi with the sign of the first. With `ofConstants`, only
/// those that no argument decides.
void guardAngles(mlir::Operation *root, bool ofConstants);

} // namespace parablock

#endif // PARABLOCK_IR_GUARDANGLES_H
