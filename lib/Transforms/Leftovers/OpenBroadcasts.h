//===- OpenBroadcasts.h - broadcasts of dynamic sizes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H
#define PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace parablock {

/// Replaces `op` if TOSA's lowering made it for a broadcast: a branch at run
/// time for a dynamic size that may be 1. Readers of the result then read the
/// first element instead. Returns whether it did.
bool simplifyBroadcasts(mlir::scf::IfOp op);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H
