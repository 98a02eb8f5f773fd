//===- ExpandWeightOps.h - work on weights as upstream ops ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_EXPANDWEIGHTOPS_H
#define PARABLOCK_IR_EXPANDWEIGHTOPS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace parablock::block {

/// Adds what puts a `linalg.generic` in the place of each op on weights, with
/// one of its own before it for a sum. Bodies compute in f64 and round once.
void populateExpandWeightOpsPatterns(mlir::RewritePatternSet &patterns);

} // namespace parablock::block

#endif // PARABLOCK_IR_EXPANDWEIGHTOPS_H
