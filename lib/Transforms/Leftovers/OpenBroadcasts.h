//===- OpenBroadcasts.h - open sizes that may be 1 --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H
#define PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace parablock {

/// Replaces `op` and says whether, if it is what TOSA's lowering makes of
/// broadcasts: a choice at run time for an open size that may be 1. Whoever
/// reads a result may ask for the first element instead.
bool simplifyBroadcasts(mlir::scf::IfOp op);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_OPENBROADCASTS_H
