//===- ExpertLaunches.h - launches of mixtures of experts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H

#include "ExpertKernels.h"
#include "TensorSource.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::cpugen {

/// Returns the name of a kernel, which differs between different parts.
template <typename... Parts> std::string join(Parts &&...parts) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ((stream << parts << '_'), ...);
  text.pop_back();
  // Parameters of attributes are no part of a symbol's usual characters.
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

/// Fails, with an error, unless rows and weights of experts have one element
/// type.
template <typename OpT> mlir::LogicalResult checkElements(OpT op) {
  mlir::Type input = mlir::getElementTypeOrSelf(op.getInput());
  for (Value weight :
       {op.getUpWeight(), op.getDownWeight(), op.getUpBias(), op.getDownBias()})
    if (weight && mlir::getElementTypeOrSelf(weight) != input)
      return op.emitError()
             << "no CPU code for '" << op->getName() << "' with rows of "
             << input << " and weights of type " << weight.getType()
             << ": expected one element type";
  return mlir::success();
}

/// Slots in the order of experts: the first place of each expert, and behind
/// the last one their number; the slot of each place, and the place of each
/// slot.
struct ExpertOrder {
  plan::TensorOp firsts, slots, places;
};

/// Adds the launch of a router's choice, and those of experts: one that sorts
/// slots by expert, one whose items are experts, and one that sums their rows.
class ExpertLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  mlir::LogicalResult add(block::RouteOp op);
  mlir::LogicalResult add(block::ExpertsOp op);
  // ExpertGradLaunches.cpp
  mlir::LogicalResult add(block::RouteGradOp op);
  mlir::LogicalResult add(block::ExpertsGradOp op);

private:
  struct Mixture;

  /// Adds a launch of one item that reads `checked` first, of this batch and
  /// sequence, and that reports faults behind its other outputs.
  void addReport(Launch launch, plan::TensorOp checked, const Shape &shape);
  mlir::FailureOr<ExpertProduct> getProduct(const Mixture &mixture, bool isUp);
  /// Adds the packed tensors of a stack to the inputs of a launch.
  mlir::LogicalResult addPacked(const Mixture &mixture, bool isUp,
                                Launch &launch);
  /// Adds the launch that sorts slots.
  ExpertOrder addOrder(const ExpertForm &form, plan::TensorOp indices,
                       plan::TensorOp weights);
  /// Adds a temporary of the type of a gradient, and assigns it.
  plan::TensorOp addGradient(Value result, const Shape &like);
  /// The launches behind a gradient of experts that move to rows.
  void addRowGradients(block::ExpertsGradOp op, const ExpertForm &form,
                       const ExpertOrder &order, plan::TensorOp byRead,
                       plan::TensorOp byWeight, plan::TensorOp weights);
  mlir::LogicalResult addExperts(Mixture &mixture);
  void addCombine(const Mixture &mixture);

  /// Products by what distinguishes them.
  llvm::StringMap<ExpertProduct> products;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTLAUNCHES_H
