//===- NamedOperands.h - operands that an op may have -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of attention have a few positional operands and, behind them, any of the
// named operands of a list (BlockNamedOperands.td). This file implements what
// these ops have in common: looking up, building and verifying named operands.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_NAMEDOPERANDS_H
#define PARABLOCK_IR_NAMEDOPERANDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

namespace parablock::block {

// Type constraints as functions.
#include "parablock/Dialect/Block/BlockOpBase.h.inc"

/// Description of one named operand.
struct NamedOperandInfo {
  AttentionOperand which;
  llvm::StringLiteral name;
  /// The word in front of it in text.
  llvm::StringLiteral keyword;
  OperandRole role;
  bool (*isType)(mlir::Type);
  llvm::StringLiteral expectedType;
  bool isRequired;
};

/// Values of named operands, null where absent.
class NamedOperands {
public:
  using Table = llvm::ArrayRef<NamedOperandInfo>;

  mlir::Value &operator[](AttentionOperand which) {
    return values[static_cast<size_t>(which)];
  }
  mlir::Value operator[](AttentionOperand which) const {
    return values[static_cast<size_t>(which)];
  }
  /// Returns those that an op with `table` has.
  NamedOperands select(Table table) const;

private:
  std::array<mlir::Value, getMaxEnumValForAttentionOperand() + 1> values;
};

/// Attributes of a new block.attention, null where absent.
struct AttentionForms {
  int64_t heads, kvHeads;
  ScoresAttr scores;
  RopeAttr rope;
  QkNormAttr qkNorm;
  BucketsAttr buckets;
  mlir::FloatAttr clip;
  DropoutAttr dropout;
};

/// Appends `positional` and `named` to the operands of an op with `table`, and
/// returns their counts. A named operand that is not in the table is an error
/// of the program.
mlir::DenseI32ArrayAttr addOperands(mlir::OperationState &state,
                                    mlir::ValueRange positional,
                                    const NamedOperands &named,
                                    NamedOperands::Table table);

/// Verifies that `counts` are those of `op`, and the types of named operands.
mlir::LogicalResult verifyNamedOperands(mlir::Operation *op,
                                        llvm::ArrayRef<int32_t> counts,
                                        unsigned positional,
                                        NamedOperands::Table table);

template <typename OpT> mlir::LogicalResult verifyNamedOperands(OpT op) {
  return verifyNamedOperands(op, op.getOperandSegmentSizes(),
                             OpT::getNumPositionalOperands(),
                             OpT::getNamedOperandTable());
}

/// Returns the number and the count, 0 or 1, of named operand `place`.
template <typename OpT>
std::pair<unsigned, unsigned> locateNamedOperand(OpT op, unsigned place) {
  llvm::ArrayRef<int32_t> counts = op.getOperandSegmentSizes();
  unsigned at = OpT::getNumPositionalOperands() + place, number = 0;
  for (int32_t count : counts.take_front(at))
    number += count;
  return {number, at < counts.size() ? counts[at] : 0};
}

/// Returns named operand `place` of the op's table, or null.
template <typename OpT>
mlir::TypedValue<mlir::RankedTensorType> findNamedOperand(OpT op,
                                                          unsigned place) {
  auto [number, count] = locateNamedOperand(op, place);
  if (!count)
    return {};
  return llvm::cast<mlir::TypedValue<mlir::RankedTensorType>>(
      op->getOperand(number));
}

/// Returns named operand `place`, which the op always has.
template <typename OpT>
mlir::OpOperand &findRequiredOperand(OpT op, unsigned place) {
  return op->getOpOperand(locateNamedOperand(op, place).first);
}

/// Returns the range of named operand `place`, which may be set or cleared.
template <typename OpT>
mlir::MutableOperandRange findMutableOperand(OpT op, unsigned place) {
  auto [number, count] = locateNamedOperand(op, place);
  // Older text has fewer counts.
  llvm::SmallVector<int32_t> counts(op.getOperandSegmentSizes());
  counts.resize(OpT::getNumPositionalOperands() +
                OpT::getNamedOperandTable().size());
  mlir::NamedAttribute sizes(
      op.getOperandSegmentSizesAttrName(),
      mlir::DenseI32ArrayAttr::get(op->getContext(), counts));
  return mlir::MutableOperandRange(
      op, number, count,
      mlir::MutableOperandRange::OperandSegment(
          OpT::getNumPositionalOperands() + place, sizes));
}

template <typename OpT> NamedOperands readNamedOperands(OpT op) {
  NamedOperands named;
  for (auto [place, info] : llvm::enumerate(OpT::getNamedOperandTable()))
    named[info.which] = findNamedOperand(op, place);
  return named;
}

/// Returns the operands of an sdpa, or of its gradient, that there are
/// gradients by, in the order of `wrt`. Absent ones are null.
template <typename OpT>
llvm::SmallVector<NamedValue> listDifferentiable(OpT op) {
  llvm::SmallVector<NamedValue> found = {
      {"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}};
  for (auto [place, info] : llvm::enumerate(OpT::getNamedOperandTable()))
    if (info.role != OperandRole::Setting &&
        info.which != AttentionOperand::Slopes)
      found.push_back({info.name, findNamedOperand(op, place)});
  return found;
}

/// Returns the role of operand `number`.
template <typename OpT> OperandRole lookupNamedRole(OpT op, unsigned number) {
  if (number < OpT::getNumPositionalOperands())
    return OpT::getRoles()[number];
  for (auto [place, info] : llvm::enumerate(OpT::getNamedOperandTable()))
    if (locateNamedOperand(op, place) == std::pair(number, 1u))
      return info.role;
  llvm_unreachable("expected an operand that the counts have");
}

} // namespace parablock::block

#endif // PARABLOCK_IR_NAMEDOPERANDS_H
