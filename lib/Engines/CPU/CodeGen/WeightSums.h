//===- WeightSums.h - sums over weights, in vectors -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_WEIGHTSUMS_H
#define PARABLOCK_LIB_CPU_WEIGHTSUMS_H

#include "Frame.h"
#include "WeightTrace.h"

namespace parablock::cpugen {

/// Sums that an item of a launch computes.
inline constexpr int64_t kSumsTogether = 64;

/// The size of the loop of a sum, which comes behind those of the result.
int64_t countSummands(block::WeightOpInterface op);

/// Writes the sums of `op`, a row of them, to `result`, where all matrices that
/// it reads can be traced (WeightTrace.h) and lie the same way: where outputs
/// are neighbours, sums are side by side, and each adds its numbers up one
/// after the other; where summands are, some of them are. The leaves are the
/// tensors of the frame. False, and nothing is written, where that is not so.
bool emitTracedSums(Frame &frame, block::WeightOpInterface op,
                    const llvm::SetVector<Value> &leaves, Value result);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_WEIGHTSUMS_H
