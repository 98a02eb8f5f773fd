//===- BlockInterfaces.h - what an op says of itself ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKINTERFACES_H
#define PARABLOCK_IR_BLOCKINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::block {

/// The facts of a step that need no code: Block_Step of BlockInterfaces.td.
template <StepKind kind, StepReach reach, ModelPart part> struct StepFacts {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {
  public:
    static StepKind getStepKind() { return kind; }
    static StepReach getReach() { return reach; }
    static ModelPart getPart() { return part; }
  };
};

/// Roles of the operands of an op: Block_In of BlockInterfaces.td.
template <OperandRole... roles> struct OperandRoles {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, Impl> {
  public:
    /// Returns the role of each argument, which may be any number of operands.
    static llvm::ArrayRef<OperandRole> getRoles() {
      static constexpr OperandRole all[] = {roles...};
      return all;
    }
  };
};

/// Returns the role of operand `number` of an op with OperandRoles.
template <typename OpT> OperandRole lookupRole(OpT op, unsigned number) {
  for (auto [argument, role] : llvm::enumerate(OpT::getRoles())) {
    auto [begin, size] = op.getODSOperandIndexAndLength(argument);
    if (number >= begin && number < begin + size)
      return role;
  }
  llvm_unreachable("expected one role per argument");
}

/// Tells whether `op` is no part of a model by itself and the columns of its
/// first operand, and no others, become those of its result.
bool handsOnColumns(mlir::Operation *op);

/// Tells whether kernels of this kind multiply rows by weights.
bool isProduct(KernelKind kind);

/// Tells whether `op` is the root of such a kernel.
bool isProduct(mlir::Operation *op);

/// Tells whether `op` is the root of a kernel of attention: the core of an
/// attention, after its projections.
bool isAttentionCore(mlir::Operation *op);

/// Tells whether `op` is of level 1: an attention, an MLP or a norm as drawn.
bool isComposite(mlir::Operation *op);

/// How far `op` reaches; none for what is no step.
std::optional<StepReach> getReach(mlir::Operation *op);

} // namespace parablock::block

#include "parablock/Dialect/Block/BlockInterfaces.h.inc"

namespace parablock::block {

/// Gives the casts of arith, which kernels take, their StepOpInterface.
void attachStepInterfaces(mlir::MLIRContext *context);

} // namespace parablock::block

#endif // PARABLOCK_IR_BLOCKINTERFACES_H
