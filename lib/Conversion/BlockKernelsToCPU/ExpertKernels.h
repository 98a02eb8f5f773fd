//===- ExpertKernels.h - kernels of a mixture of experts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTKERNELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTKERNELS_H

#include "KernelLibrary.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

namespace parablock::cpugen {

/// A product that the kernel of experts calls, once for each block of an
/// expert's rows. Its tensors are rows, the packed weight, bias if there is
/// one, and the result; its sizes are 1 and the number of rows.
struct ExpertProduct {
  /// A packed tensor of the weight.
  struct Packed {
    PanelLayout layout;
    mlir::Type element;

    /// Elements of one expert.
    int64_t countElements() const {
      return static_cast<int64_t>(layout.panels.size()) * layout.depth *
             layout.columns;
    }
  };

  KernelCode code;
  llvm::SmallVector<Packed, 1> weight;
  mlir::Type element;
  /// Columns of the input, of the product and of the result.
  int64_t depth, columns, width;
  bool hasBias;
};

/// The facts that the kernels of one op share.
struct ExpertForm {
  int64_t experts, slots;
  bool weighsInput;
  mlir::Type input, weights, result;
};

/// Calls `body` for columns and how many, in vectors as far as they fill.
void forVectors(Code &code, int64_t width,
                llvm::function_ref<void(Value, int64_t)> body);

/// Writes a fault of that kind at slot `wrong`, or none if that is negative.
void writeIndexFault(Code &code, cpu::Fault::Kind kind, Value indices,
                     Value wrong, int64_t slots, int64_t experts, Value fault);

/// Sorts slots by expert, in their order. Tensors: indices, weights, then the
/// first place of each expert, and behind the last one their number; the slot
/// of each place; the place of each slot, -1 where it is empty; a cpu::Fault.
/// Sizes: batch, sequence.
KernelCode buildOrderKernel(Frame &frame, const ExpertForm &form);

/// Computes the experts that have rows, divided among `items` items. Tensors:
/// input, weights, first places, slots of places, packed weights of both
/// products, their biases, then the products by place.
KernelCode buildExpertsKernel(Frame &frame, const ExpertForm &form,
                              int64_t items, const ExpertProduct &up,
                              const ExpertProduct &down);

/// Sums the products of each row, an item, in the order of its slots. Tensors:
/// products, places of slots, weights, the result.
KernelCode buildCombineKernel(Frame &frame, const ExpertForm &form,
                              int64_t width);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTKERNELS_H
