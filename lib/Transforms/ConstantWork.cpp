//===- ConstantWork.cpp - folds constants by the evaluator ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConstantWork.h"

#include "RecipeWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Judges/Evaluator/Evaluator.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
using evaluator::StoredTensor;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool block::isConstantTensor(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
         isStored(op->getResult(0).getType());
}

static Attribute getConstantValue(Operation *op) {
  Attribute value;
  return matchPattern(op, m_Constant(&value)) ? value : Attribute();
}

/// Attributes pack truth values.
static StoredTensor readTruthValues(StoredTensor tensor,
                                    DenseElementsAttr elements) {
  llvm::copy(elements.getValues<bool>(), tensor.mutableBytes().begin());
  return tensor;
}

/// One element, many times.
static StoredTensor repeat(StoredTensor tensor, ArrayRef<char> element) {
  MutableArrayRef<uint8_t> bytes = tensor.mutableBytes();
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(element[i % element.size()]);
  return tensor;
}

std::optional<StoredTensor> block::readConstant(Operation *op) {
  if (!isConstantTensor(op))
    return std::nullopt;
  Attribute value = getConstantValue(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  ElementType element = *evaluator::getElementTypeOf(type);
  auto allocate = [&] {
    return StoredTensor::allocate(element, type.getShape());
  };
  ArrayRef<char> bytes;
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (element == ElementType::Bool)
      return readTruthValues(allocate(), dense);
    bytes = dense.getRawData();
    if (dense.isSplat())
      return repeat(allocate(), bytes);
  } else if (auto resource =
                 dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    bytes = blob->getData();
  }
  if (bytes.size() != countBytes(element, type.getShape()))
    return std::nullopt;
  StoredTensor tensor;
  tensor.type = element;
  tensor.shape.assign(type.getShape());
  tensor.bytes =
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return tensor;
}

bool block::isLargeConstant(Operation *op) {
  constexpr int64_t mostElements = 64;
  if (!isConstantTensor(op) ||
      isa_and_present<SplatElementsAttr>(getConstantValue(op)))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.getNumElements() > mostElements && readConstant(op);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

namespace {
class ConstantWork {
public:
  explicit ConstantWork(func::FuncOp function) : function(function) {}

  void fold();

private:
  bool isWork(Operation *op) const;
  /// Returns null if it cannot be computed.
  const evaluator::Arrays *compute(Operation *op);
  void replace(OpResult value);

  func::FuncOp function;
  llvm::SetVector<Operation *> work;
  DenseMap<Operation *, std::optional<evaluator::Arrays>> computed;
};
} // namespace

/// Returns whether a type is small enough to be computed immediately.
static bool isModest(Type type) {
  constexpr int64_t mostElements = 1 << 22;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor ||
         (tensor.hasStaticShape() && tensor.getNumElements() <= mostElements);
}

bool ConstantWork::isWork(Operation *op) const {
  if (!isPure(op) || !evaluator::isKnown(op) || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), isModest))
    return false;
  return llvm::all_of(findReads(op), [&](Value value) {
    return value.getDefiningOp() && work.contains(value.getDefiningOp());
  });
}

const evaluator::Arrays *ConstantWork::compute(Operation *op) {
  auto known = computed.find(op);
  if (known == computed.end()) {
    DenseMap<Value, evaluator::Array> operands;
    bool isComplete = true;
    for (Value value : findReads(op)) {
      const evaluator::Arrays *made = compute(value.getDefiningOp());
      if (made)
        operands[value] = (*made)[cast<OpResult>(value).getResultNumber()];
      isComplete &= made != nullptr;
    }
    std::optional<evaluator::Arrays> results;
    if (isComplete) {
      auto lookup = [&](Value value) -> const evaluator::Array & {
        return operands.find(value)->second;
      };
      FailureOr<evaluator::Arrays> made = evaluator::runOp(op, lookup);
      if (succeeded(made))
        results = std::move(*made);
    }
    known = computed.try_emplace(op, std::move(results)).first;
  }
  return known->second ? &*known->second : nullptr;
}

static DenseElementsAttr makeElements(RankedTensorType type,
                                      const evaluator::Array &array) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> values;
    for (double value : array.data())
      values.push_back(value != 0);
    return DenseElementsAttr::get(type, values);
  }
  std::vector<uint8_t> bytes(array.data().size() * getElementSize(array.type));
  encodeElements(array.type, array.data(), bytes);
  return DenseElementsAttr::getFromRawBuffer(
      type,
      ArrayRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

/// Replaces a value by its elements, except fills and splats.
void ConstantWork::replace(OpResult value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isStored(type) || type.getNumElements() == 0 ||
      isa<tensor::EmptyOp, linalg::FillOp, tensor::SplatOp>(value.getOwner()))
    return;
  const evaluator::Arrays *made = compute(value.getOwner());
  if (!made)
    return;
  OpBuilder builder(value.getOwner());
  DenseElementsAttr elements =
      makeElements(type, (*made)[value.getResultNumber()]);
  value.replaceAllUsesWith(
      arith::ConstantOp::create(builder, value.getLoc(), type, elements));
}

void ConstantWork::fold() {
  // Ops that cannot be computed stay, so their errors are not shown.
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  llvm::SetVector<OpResult> roots;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (isWork(op)) {
      work.insert(op);
      return WalkResult::skip();
    }
    for (Value value : findReads(op))
      if (Operation *maker = value.getDefiningOp();
          maker && work.contains(maker) &&
          !maker->hasTrait<OpTrait::ConstantLike>())
        roots.insert(cast<OpResult>(value));
    // Within structured ops are numbers, not tensors.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  for (OpResult root : roots)
    replace(root);
  for (Operation *op : llvm::reverse(work))
    if (isOpTriviallyDead(op))
      op->erase();
}

void block::foldConstantWork(func::FuncOp function) {
  ConstantWork(function).fold();
}
