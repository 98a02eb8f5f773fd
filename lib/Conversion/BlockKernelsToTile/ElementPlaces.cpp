//===- ElementPlaces.cpp - emits sizes and places of elements -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementPlaces.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace parablock;

Value ElementPlaces::emitSize(TileCode code, Value tensor, int64_t dim) {
  FailureOr<AffineExpr> size = sizes.getSize(tensor, dim);
  if (failed(size))
    return {};
  SmallVector<Value> symbols;
  for (auto [operand, number] : sizes.getSymbols())
    symbols.push_back(code.dim(shell.getInput(operand), number));
  return affine::expandAffineExpr(code.builder, code.loc, *size, {}, symbols);
}

SmallVector<Value> parablock::delinearise(TileCode code, Value flat,
                                          ArrayRef<Value> extents) {
  SmallVector<Value> indices(extents.size());
  for (unsigned dim = extents.size(); dim-- > 0;) {
    std::optional<int64_t> known = getConstantIntValue(extents[dim]);
    bool isLast = llvm::all_of(extents.take_front(dim), [](Value extent) {
      return isConstantIntValue(extent, 1);
    });
    if (known == 1) {
      indices[dim] = code.index(0);
    } else if (isLast) {
      indices[dim] = flat;
      flat = code.index(0);
    } else {
      // No element of an empty tensor is read, but its positions may be
      // computed.
      Value extent =
          known ? extents[dim] : code.maxIndex(extents[dim], code.index(1));
      indices[dim] = code.remIndex(flat, extent);
      flat = code.divIndex(flat, extent);
    }
  }
  return indices;
}

SmallVector<Value> &ElementPlaces::getIndices(TileCode code, Value tensor,
                                              ElementPosition &at) {
  if (!at.indices) {
    SmallVector<Value> extents;
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      extents.push_back(emitSize(code, tensor, dim));
    at.indices = llvm::is_contained(extents, Value())
                     ? SmallVector<Value>(rank)
                     : delinearise(code, at.flat, extents);
  }
  return *at.indices;
}

Value ElementPlaces::getFlat(TileCode code, Value tensor,
                             const ElementPosition &at) {
  if (at.flat)
    return at.flat;
  Value flat;
  for (auto [dim, index] : llvm::enumerate(*at.indices)) {
    Value size = emitSize(code, tensor, dim);
    if (isConstantIntValue(size, 1))
      continue;
    flat = flat ? code.addIndex(code.mulIndex(flat, size), index) : index;
  }
  return flat ? flat : code.index(0);
}
