//===- ExpertLaunches.h - launches of mixtures of experts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H

#include "ExpertKernels.h"
#include "TensorSource.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Adds the launch of a router's choice, and those of experts: one that sorts
/// slots by expert, one whose items are experts, and one that sums their rows.
class ExpertLaunches {
public:
  ExpertLaunches(PlanWriter &plan, KernelLibrary &library, TensorSource &source)
      : plan(plan), library(library), source(source) {}

  mlir::LogicalResult add(block::RouteOp op);
  mlir::LogicalResult add(block::ExpertsOp op);

private:
  struct Mixture;

  mlir::FailureOr<ExpertProduct> getProduct(const Mixture &mixture, bool isUp);
  mlir::FailureOr<plan::TensorOp> getPacked(const Mixture &mixture, bool isUp,
                                            const ExpertProduct &product);
  mlir::LogicalResult addOrder(Mixture &mixture);
  mlir::LogicalResult addExperts(Mixture &mixture);
  void addCombine(const Mixture &mixture);

  PlanWriter &plan;
  KernelLibrary &library;
  TensorSource &source;
  /// Products by what distinguishes them.
  llvm::StringMap<ExpertProduct> products;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H
