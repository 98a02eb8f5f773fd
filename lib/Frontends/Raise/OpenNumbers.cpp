//===- OpenNumbers.cpp - large whole numbers of a function ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

/// From here on a number is large; tables of less are quickly made.
static constexpr int64_t kLarge = 1024;
/// Numbers beyond are no positions: the largest integers, for example.
static constexpr int64_t kTooLarge = int64_t(1) << 30;

/// The attribute with the constant that a copy has another number for.
static constexpr StringLiteral kOriginal = "raise_original";

/// The whole number that a constant is, if all its elements are one.
static std::optional<int64_t> getWhole(Operation *op) {
  Attribute value;
  if (op->getNumResults() != 1 ||
      !getElementTypeOrSelf(op->getResult(0)).isIntOrIndex() ||
      !matchPattern(op, m_Constant(&value)))
    return std::nullopt;
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getValue().getSExtValue();
  auto dense = dyn_cast<DenseIntElementsAttr>(value);
  if (!dense || !dense.isSplat())
    return std::nullopt;
  return dense.getSplatValue<APInt>().getSExtValue();
}

/// True where elements are computed from the constant: within a structured op,
/// or tensor by tensor. A number that becomes a float is no position.
static bool isOfElements(const OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<arith::SIToFPOp, arith::UIToFPOp, tosa::CastOp>(user))
    return false;
  return isa<RankedTensorType>(use.get().getType()) ||
         isa<linalg::FillOp, tensor::SplatOp>(user) ||
         !isa<FunctionOpInterface>(user->getParentOp());
}

WholeNumbers parablock::raise::findWholeNumbers(FunctionOpInterface function) {
  WholeNumbers numbers;
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto shaped = dyn_cast<RankedTensorType>(type))
        for (int64_t size : shaped.getShape())
          numbers.taken.insert(size);
    std::optional<int64_t> number = getWhole(op);
    if (!number) {
      // Lists of numbers choose elements; they are compared with sizes too.
      DenseIntElementsAttr list;
      if (matchPattern(op, m_Constant(&list)))
        for (const APInt &element : list.getValues<APInt>())
          if (element.getSExtValue() < kLarge)
            numbers.below.insert(element.getSExtValue());
      return;
    }
    numbers.taken.insert(*number);
    int64_t size = std::abs(*number);
    for (const OpOperand &use : op->getResult(0).getUses()) {
      if (size >= kLarge && size < kTooLarge && isOfElements(use))
        numbers.large.insert(size);
      else if (size < kLarge ||
               isa<arith::CmpIOp, arith::MinSIOp, arith::MaxSIOp>(
                   use.getOwner()))
        numbers.below.insert(size);
    }
  });
  return numbers;
}

Stands parablock::raise::chooseStands(const WholeNumbers &numbers,
                                      int64_t first) {
  SmallVector<int64_t> sorted(numbers.large.begin(), numbers.large.end());
  llvm::sort(sorted);
  auto isFree = [&](int64_t stand) {
    return llvm::none_of(
        llvm::seq(stand - kNearNumbers, stand + kNearNumbers + 1),
        [&](int64_t number) {
          return numbers.taken.contains(number) ||
                 numbers.below.contains(number);
        });
  };
  Stands stands;
  int64_t previous = 0, next = first;
  for (int64_t number : sorted) {
    // A window and the numbers next to it move together.
    if (previous != 0 && number - previous <= kNearNumbers) {
      stands[number] = stands[previous] + number - previous;
    } else {
      while (!isFree(next))
        ++next;
      stands[number] = next;
    }
    previous = number;
    next = stands[number] + 2 * kNearNumbers;
  }
  return stands;
}

static Attribute withNumber(Operation *constant, int64_t number) {
  Builder builder(constant->getContext());
  Type type = constant->getResult(0).getType();
  Type element = getElementTypeOrSelf(type);
  TypedAttr value = builder.getIntegerAttr(element, number);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, Attribute(value));
  return value;
}

static void setNumber(Operation *constant, Attribute value) {
  if (auto arith = dyn_cast<arith::ConstantOp>(constant))
    arith.setValueAttr(cast<TypedAttr>(value));
  else if (auto tosa = dyn_cast<tosa::ConstOp>(constant))
    tosa.setValuesAttr(cast<ElementsAttr>(value));
}

void parablock::raise::replaceLargeNumbers(FunctionOpInterface function,
                                           const Stands &stands) {
  SmallVector<Operation *> constants;
  function.walk([&](Operation *op) {
    if (isa<arith::ConstantOp, tosa::ConstOp>(op))
      constants.push_back(op);
  });
  for (Operation *op : constants) {
    std::optional<int64_t> number = getWhole(op);
    auto found = number ? stands.find(std::abs(*number)) : stands.end();
    if (found == stands.end())
      continue;
    Operation *other = op->clone();
    Attribute original;
    (void)matchPattern(op, m_Constant(&original));
    other->setAttr(kOriginal, original);
    setNumber(other,
              withNumber(op, *number < 0 ? -found->second : found->second));
    OpBuilder(op).insert(other);
    op->getResult(0).replaceUsesWithIf(other->getResult(0), isOfElements);
    if (other->use_empty())
      other->erase();
  }
}

void parablock::raise::restoreLargeNumbers(FunctionOpInterface function,
                                           const Stands &stands) {
  Builder builder(function.getContext());
  auto restore = [&](block::ScoresAttr scores) {
    std::optional<int64_t> window = scores.getWindow();
    for (auto [number, stand] : stands)
      if (window == stand)
        window = number;
    return block::ScoresAttr::get(scores.getContext(), scores.getScale(),
                                  scores.getCausal(), window,
                                  scores.getSoftcap(), scores.getAlibiMax(),
                                  scores.getOrder(), scores.getAlibiType());
  };
  function.walk([&](Operation *op) {
    if (Attribute original = op->getAttr(kOriginal)) {
      setNumber(op, original);
      op->removeAttr(kOriginal);
    }
    if (auto attention = dyn_cast<block::AttentionOpInterface>(op))
      attention.setScoresAttr(restore(attention.getScores()));
  });
}
