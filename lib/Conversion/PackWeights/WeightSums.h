//===- WeightSums.h - sums over weights, in vectors -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTSUMS_H
#define PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTSUMS_H

#include "WeightTrace.h"
#include "parablock/Conversion/CPUCode/Frame.h"

namespace parablock::cpugen {

/// Sums that an item of a launch computes.
inline constexpr int64_t kSumsTogether = 64;

/// Returns the size of a sum's loop, which follows those of the result.
int64_t countSummands(block::WeightOpInterface op);

/// Writes the sums of `op`, one row, to `result`, if all matrices that it reads
/// can be traced (WeightTrace.h) and have the same layout: if outputs are
/// adjacent, vectors contain several sums, each in sequential order; if
/// summands are adjacent, vectors contain several summands. The leaves are the
/// tensors of the frame. Otherwise returns false, and writes nothing.
bool emitTracedSums(Frame &frame, block::WeightOpInterface op,
                    const llvm::SetVector<Value> &leaves, Value result);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTSUMS_H
