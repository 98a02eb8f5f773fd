//===- HoistConstants.cpp - writes constants to a weights file ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HoistConstants.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Support/SafeTensors.h"

using namespace mlir;
using namespace parablock;

/// The bytes of a tensor of floats that has no single value, or nothing.
static std::optional<ArrayRef<char>> getBytes(Attribute value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat())
      return std::nullopt;
    return dense.getRawData();
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || !resource.getRawHandle().getBlob())
    return std::nullopt;
  return resource.getRawHandle().getBlob()->getData();
}

/// Returns whether a type is one of weights of `block` ops.
static bool isWeight(std::optional<ElementType> type) {
  return type && isFloatType(*type) && *type != ElementType::F64;
}

llvm::Error parablock::raise::hoistConstants(FunctionOpInterface function,
                                             StringRef path) {
  SmallVector<TensorToWrite> tensors;
  Builder builder(function.getContext());
  // Constants with a single reading layer are within it.
  SmallVector<Operation *> constants, hoisted;
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && op->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(op);
  });
  for (Operation *constant : constants) {
    Operation &op = *constant;
    Attribute value;
    if (!matchPattern(&op, m_Constant(&value)))
      continue;
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    std::optional<ElementType> element =
        type ? getElementTypeOf(type) : std::nullopt;
    std::optional<ArrayRef<char>> bytes =
        isWeight(element) ? getBytes(value) : std::nullopt;
    if (!bytes)
      continue;
    TensorToWrite tensor;
    tensor.name = "constant." + std::to_string(tensors.size());
    tensor.type = *element;
    tensor.shape.assign(type.getShape().begin(), type.getShape().end());
    tensor.bytes = ArrayRef(reinterpret_cast<const uint8_t *>(bytes->data()),
                            bytes->size());
    unsigned index = function.getNumArguments();
    DictionaryAttr attributes = builder.getDictionaryAttr(builder.getNamedAttr(
        block::kParamAttr, builder.getStringAttr(tensor.name)));
    if (failed(function.insertArgument(index, type, attributes, op.getLoc())))
      return llvm::createStringError("cannot add an argument to the function");
    op.getResult(0).replaceAllUsesWith(function.getArgument(index));
    hoisted.push_back(&op);
    tensors.push_back(std::move(tensor));
  }
  // The attributes own the bytes until here.
  llvm::Error error = writeSafeTensors(path, tensors);
  for (Operation *op : hoisted)
    op->erase();
  return error;
}
