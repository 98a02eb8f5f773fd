//===- RouteKernel.h - the choice of experts, row by row --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// The arithmetic of one row that a router and its gradient share, by the steps
/// that #block.routing numbers.
class RouterCode {
protected:
  RouterCode(Frame &frame, block::RoutingAttr form, int64_t experts);

  /// Memory for so many f32.
  Value allocate(int64_t count);
  Value read(Value memory, Value place) {
    return code.loadRaw(memory, code.f32Type(1), place);
  }
  Value real(double value) { return code.f32(value); }
  Value both(Value a, Value b) {
    return mlir::arith::AndIOp::create(code.builder, code.loc, a, b);
  }
  Value either(Value a, Value b) {
    return mlir::arith::OrIOp::create(code.builder, code.loc, a, b);
  }
  Value isNaN(Value x) {
    return mlir::arith::CmpFOp::create(code.builder, code.loc,
                                       mlir::arith::CmpFPredicate::UNO, x, x);
  }
  void forEach(int64_t count, llvm::function_ref<void(Value)> body) {
    code.loop(code.index(0), code.index(count), 1, body);
  }
  /// Folds `body` over a range, from one number on.
  Value fold(Value from, Value to, double initial,
             llvm::function_ref<Value(Value, Value)> body);
  Value sumOf(int64_t count, llvm::function_ref<Value(Value)> body);
  /// Replaces `count` numbers by their softmax.
  void writeSoftmax(Value memory, int64_t count);
  /// Step 1.
  void writeScores(Value logits, mlir::Type type, Value row);
  /// Writes what step 5 makes the weight of a slot of.
  void writeChosen(Value slot, Value expert);
  /// Ends step 5 but for the division: returns the sum and the divisor, null
  /// where weights are divided by nothing.
  std::pair<Value, Value> buildDivisor();

  Frame &frame;
  Code &code;
  block::RoutingAttr form;
  int64_t experts;
  /// Numbers of one row: logits times their factor, scores, and weights of the
  /// chosen before they are divided.
  Value scaled, scores, chosen;
};

/// Reports the first row whose choice buildRouteKernel refused. Tensors:
/// indices, then a cpu::Fault. Sizes: batch, sequence.
KernelCode buildRouteCheckKernel(Frame &frame, block::RouteOp op);

/// Generates the kernel of `op`. Its tensors are the operands and the results;
/// its items are rows. A row whose scores include NaN has an index below 0 and
/// the weight NaN in every slot.
KernelCode buildRouteKernel(Frame &frame, block::RouteOp op);

/// Generates the gradient by logits. Tensors: gradient, logits, indices, scales
/// of experts if there are some, then the gradient, and the share that each
/// slot has in the gradient by its expert's scale. Items are rows.
KernelCode buildRouteGradKernel(Frame &frame, block::RouteGradOp op);

/// Sums the shares of each expert. Tensors: indices, shares, the sums in f32, a
/// cpu::Fault. Sizes: batch, sequence.
KernelCode buildScaleSumsKernel(Frame &frame, int64_t experts, int64_t slots);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROUTEKERNEL_H
