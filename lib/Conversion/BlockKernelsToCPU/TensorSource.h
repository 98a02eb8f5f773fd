//===- TensorSource.h - the tensors of a function's values ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TENSORSOURCE_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TENSORSOURCE_H

#include "PlanWriter.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"

namespace parablock::cpugen {

/// The source of the tensors that launches read.
class TensorSource {
public:
  virtual ~TensorSource() = default;

  /// Returns the tensor of `value`, for `user`, adding the launches that
  /// compute it if necessary. Packed if `layout` is not null.
  virtual mlir::FailureOr<plan::TensorOp>
  getTensor(mlir::Operation *user, Value value,
            const PanelLayout *layout = nullptr) = 0;

  /// Returns the tensors of several values.
  mlir::FailureOr<llvm::SmallVector<plan::TensorOp>>
  getTensors(mlir::Operation *user, mlir::ValueRange values) {
    llvm::SmallVector<plan::TensorOp> tensors;
    for (Value value : values) {
      mlir::FailureOr<plan::TensorOp> tensor = getTensor(user, value);
      if (failed(tensor))
        return mlir::failure();
      tensors.push_back(*tensor);
    }
    return tensors;
  }

  /// Returns whether `value` depends on parameters alone.
  virtual bool isConstant(Value value) const = 0;
};

class KernelLibrary;

/// Base of classes that add the launches of some ops to a plan.
class LaunchWriter {
public:
  LaunchWriter(PlanWriter &plan, KernelLibrary &library, TensorSource &source)
      : plan(plan), library(library), source(source) {}

protected:
  PlanWriter &plan;
  KernelLibrary &library;
  TensorSource &source;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TENSORSOURCE_H
