//===- RouteKernel.h - the choice of experts, row by row --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Generates the kernel of `op`. Its tensors are the operands and the results;
/// its items are rows. A row whose scores include NaN has the index -1 and the
/// weight NaN in every slot.
KernelCode buildRouteKernel(Frame &frame, block::RouteOp op);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H
