//===- CacheLaunches.h - launches that move rows ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHELAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHELAUNCHES_H

#include "KernelLibrary.h"
#include "TensorSource.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Launches that move rows: new ones into caches, and rows by index.
class CacheLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  mlir::LogicalResult add(block::CacheAppendOp op);
  mlir::LogicalResult add(block::TakeRowsOp op);
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CACHELAUNCHES_H
