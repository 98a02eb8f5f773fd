//===- SizePairs.cpp - pairs dimensions of two functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizePairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

Value parablock::raise::computeSize(OpBuilder &builder, Location location,
                                    AffineExpr expr, ArrayRef<Value> symbols) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, location,
                                          constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value a = computeSize(builder, location, binary.getLHS(), symbols);
  Value b = computeSize(builder, location, binary.getRHS(), symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, location, a, b);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, location, a, b);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, location, a, b);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, location, a, b);
  case AffineExprKind::Mod:
    return arith::RemSIOp::create(builder, location, a, b);
  default:
    llvm_unreachable("no operation on two sizes");
  }
}

bool parablock::raise::pairDimensions(
    ShapePair from, ShapePair to,
    SmallVectorImpl<ReassociationIndices> &sources,
    SmallVectorImpl<ReassociationIndices> &results) {
  using Count = std::pair<int64_t, int64_t>;
  size_t i = 0, k = 0;
  auto take = [](Count &count, Count by) {
    count.first *= by.first;
    count.second *= by.second;
  };
  while (i < from.size() && k < to.size()) {
    ReassociationIndices own{int64_t(i)}, made{int64_t(k)};
    Count read = from[i++], written = to[k++];
    while (read != written) {
      bool isLess =
          read.first < written.first ||
          (read.first == written.first && read.second < written.second);
      if (isLess ? i == from.size() : k == to.size())
        return false;
      if (isLess) {
        own.push_back(i);
        take(read, from[i++]);
      } else {
        made.push_back(k);
        take(written, to[k++]);
      }
    }
    sources.push_back(own);
    results.push_back(made);
  }
  // The remaining dimensions have one element each.
  for (; i < from.size() && !sources.empty(); ++i) {
    if (from[i] != Count(1, 1))
      return false;
    sources.back().push_back(i);
  }
  for (; k < to.size() && !results.empty(); ++k) {
    if (to[k] != Count(1, 1))
      return false;
    results.back().push_back(k);
  }
  return !sources.empty();
}

/// Prints a value for messages; tables are summarised.
static std::string print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// Returns a shape's sizes, or a summary of a table.
static std::string print(ElementsAttr table, bool isFirst) {
  auto sizes = dyn_cast<DenseIntElementsAttr>(table);
  if (!sizes || !sizes.getElementType().isIndex())
    return isFirst ? "one table" : "another";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(sizes.getValues<APInt>(), stream << '[');
  stream << ']';
  return text;
}

std::string parablock::raise::describeAttributes(Operation *op,
                                                 Operation *other) {
  std::string text = ("'" + op->getName().getStringRef() +
                      "' op has attributes that depend on sizes")
                         .str();
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    Attribute value = attribute.getValue();
    Attribute counterpart = other->getAttr(attribute.getName());
    if (!counterpart || counterpart == value)
      continue;
    auto table = dyn_cast<ElementsAttr>(value);
    auto otherTable = dyn_cast<ElementsAttr>(counterpart);
    text += ": '" + attribute.getName().str() + "' is " +
            (table && otherTable
                 ? print(table, true) + " and " + print(otherTable, false)
                 : print(value) + " and " + print(counterpart));
  }
  return text;
}
