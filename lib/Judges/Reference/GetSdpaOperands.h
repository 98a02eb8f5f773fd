//===- GetSdpaOperands.h - operands of attention and sdpa -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H
#define PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H

#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::reference {

/// Returns the operands and forms of an attention, without query, key and
/// value.
SdpaOperands getScoreOperands(block::AttentionOpInterface op,
                              const Evaluation &at);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_GETSDPAOPERANDS_H
