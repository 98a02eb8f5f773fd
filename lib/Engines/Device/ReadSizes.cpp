//===- ReadSizes.cpp - sizes of what launches write, from IR --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch says of its results' sizes what they are in those of its operands,
// as affine expressions. Plans say all sizes in those of the function's
// inputs: expressions are put into each other as affine ones, which MLIR
// simplifies, and then spelled as a plan has them.
// Tensors in another shape are views: the same memory.
//
//===----------------------------------------------------------------------===//

#include "PlanReader.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using mlir::AffineExpr;
using mlir::AffineExprKind;

namespace {
/// Between sizes of plans and affine expressions.
class SizeConverter {
public:
  explicit SizeConverter(mlir::MLIRContext *context) : context(context) {}

  AffineExpr toAffine(const PlanSize &size);
  PlanSize toSize(AffineExpr expression) const;
  PlanSize simplify(AffineExpr expression) const {
    return toSize(
        mlir::simplifyAffineExpr(expression, /*numDims=*/0, symbols.size()));
  }

private:
  PlanSize toSum(AffineExpr first, AffineExpr second) const;

  mlir::MLIRContext *context;
  /// Names, and steps that affine expressions do not have.
  llvm::SmallVector<PlanSize> symbols;
};
} // namespace

AffineExpr SizeConverter::toAffine(const PlanSize &size) {
  if (size.isNumber())
    return mlir::getAffineConstantExpr(size.value, context);
  std::optional<AffineExprKind> kind;
  if (size.isStep())
    switch (size.step) {
    case PlanSize::Subtract:
      return toAffine(size.operands[0]) - toAffine(size.operands[1]);
    case PlanSize::Add:
      kind = AffineExprKind::Add;
      break;
    case PlanSize::Multiply:
      kind = AffineExprKind::Mul;
      break;
    case PlanSize::FloorDiv:
      kind = AffineExprKind::FloorDiv;
      break;
    case PlanSize::CeilDiv:
      kind = AffineExprKind::CeilDiv;
      break;
    case PlanSize::Mod:
      kind = AffineExprKind::Mod;
      break;
    case PlanSize::Min:
    case PlanSize::Max:
    case PlanSize::Share:
      break;
    }
  if (kind)
    return mlir::getAffineBinaryOpExpr(*kind, toAffine(size.operands[0]),
                                       toAffine(size.operands[1]));
  size_t number = llvm::find(symbols, size) - symbols.begin();
  if (number == symbols.size())
    symbols.push_back(size);
  return mlir::getAffineSymbolExpr(number, context);
}

/// Gives what is taken away, where an expression is a negative number or a
/// multiple by one.
static AffineExpr findNegated(AffineExpr expression) {
  auto isNegative = [](AffineExpr part) {
    auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(part);
    // The least number has no opposite.
    return constant && constant.getValue() < 0 &&
           constant.getValue() > std::numeric_limits<int64_t>::min();
  };
  auto product = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  bool isProduct = product && product.getKind() == AffineExprKind::Mul;
  if (isNegative(isProduct ? product.getRHS() : expression))
    return -expression;
  return {};
}

PlanSize SizeConverter::toSum(AffineExpr first, AffineExpr second) const {
  if (AffineExpr taken = findNegated(second))
    return makeSize(PlanSize::Subtract, toSize(first), toSize(taken));
  if (AffineExpr taken = findNegated(first))
    return makeSize(PlanSize::Subtract, toSize(second), toSize(taken));
  return makeSize(PlanSize::Add, toSize(first), toSize(second));
}

PlanSize SizeConverter::toSize(AffineExpr expression) const {
  if (AffineExpr taken = findNegated(expression))
    return makeSize(PlanSize::Subtract, PlanSize(), toSize(taken));
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression))
    return {constant.getValue(), ""};
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto step = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  if (step.getKind() == AffineExprKind::Add)
    return toSum(step.getLHS(), step.getRHS());
  PlanSize::Step kind =
      step.getKind() == AffineExprKind::Mul        ? PlanSize::Multiply
      : step.getKind() == AffineExprKind::FloorDiv ? PlanSize::FloorDiv
      : step.getKind() == AffineExprKind::CeilDiv  ? PlanSize::CeilDiv
                                                   : PlanSize::Mod;
  return makeSize(kind, toSize(step.getLHS()), toSize(step.getRHS()));
}

Expected<PlanShape> PlanReader::findShape(tile::LaunchOp launch,
                                          llvm::ArrayRef<unsigned> operands,
                                          mlir::OpResult result) {
  auto type = llvm::cast<mlir::RankedTensorType>(result.getType());
  PlanShape shape = getPlanShape(type.getShape());
  if (type.hasStaticShape())
    return shape;
  if (!launch.getSizeSymbols() || !launch.getSizes())
    return createErrorAt(launch, "expected 'size_symbols' and 'sizes', as "
                                 "results have dynamic sizes");
  SizeConverter converter(launch.getContext());
  llvm::SmallVector<AffineExpr> values;
  llvm::ArrayRef<int64_t> pairs = *launch.getSizeSymbols();
  for (; !pairs.empty(); pairs = pairs.drop_front(2))
    values.push_back(
        converter.toAffine(plan.tensors[operands[pairs[0]]].shape[pairs[1]]));
  unsigned number = result.getResultNumber();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!type.isDynamicDim(dim))
      continue;
    mlir::AffineMap map = launch.getSizeMap(number, dim);
    size = converter.simplify(map.getResult(0).replaceSymbols(values));
    if (launch::Status fault = checkSize(size))
      return createErrorAt(launch, "dimension " + llvm::Twine(dim) +
                                       " of result " + llvm::Twine(number) +
                                       ": " + fault->text);
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Sizes of `source` multiplied, where `groups` say which of them become one.
static PlanShape collapse(const PlanShape &source,
                          llvm::ArrayRef<mlir::ReassociationIndices> groups,
                          mlir::MLIRContext *context) {
  PlanShape shape;
  for (const mlir::ReassociationIndices &group : groups) {
    SizeConverter converter(context);
    AffineExpr product = mlir::getAffineConstantExpr(1, context);
    for (int64_t dim : group)
      product = product * converter.toAffine(source[dim]);
    shape.push_back(converter.simplify(product));
  }
  return shape;
}

/// The sizes of `type`, where each of `groups` was one of `source`. Nothing for
/// two open ones in a group: nobody says how it is divided.
static std::optional<PlanShape>
expand(const PlanShape &source,
       llvm::ArrayRef<mlir::ReassociationIndices> groups,
       mlir::RankedTensorType type) {
  PlanShape shape = getPlanShape(type.getShape());
  for (auto [size, group] : llvm::zip_equal(source, groups)) {
    int64_t known = 1;
    PlanSize *open = nullptr;
    for (int64_t dim : group) {
      if (!type.isDynamicDim(dim))
        known *= type.getDimSize(dim);
      else if (open)
        return std::nullopt;
      else
        open = &shape[dim];
    }
    if (!open)
      continue;
    SizeConverter converter(type.getContext());
    *open = converter.simplify(converter.toAffine(size).floorDiv(known));
  }
  return shape;
}

Error PlanReader::readView(mlir::Operation *op) {
  Expected<unsigned> source = getTensor(op, op->getOperand(0));
  if (!source)
    return source.takeError();
  auto type = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  const PlanShape &whole = plan.tensors[*source].shape;
  std::optional<PlanShape> shape;
  if (auto wide = llvm::dyn_cast<mlir::tensor::ExpandShapeOp>(op))
    shape = expand(whole, wide.getReassociationIndices(), type);
  else
    shape = collapse(
        whole,
        llvm::cast<mlir::tensor::CollapseShapeOp>(op).getReassociationIndices(),
        op->getContext());
  if (!shape)
    return createErrorAt(op, "no GPU code for a dimension that becomes two of "
                             "open sizes");
  for (const PlanSize &size : *shape)
    if (launch::Status fault = checkSize(size))
      return createErrorAt(op, fault->text);
  std::string name = "view#" + std::to_string(plan.tensors.size());
  unsigned owner = plan.getOwner(*source);
  Expected<unsigned> view =
      addTensor(op->getResult(0), std::move(name), std::move(*shape));
  if (!view)
    return view.takeError();
  plan.tensors[*view].viewOf = owner;
  return Error::success();
}

/// Another type of the same tensor: a plan knows its sizes better.
Error PlanReader::readCast(mlir::tensor::CastOp cast) {
  Expected<unsigned> source = getTensor(cast, cast.getSource());
  if (!source)
    return source.takeError();
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(cast.getType());
  const PlanShape &shape = plan.tensors[*source].shape;
  bool fits = type && type.getRank() == static_cast<int64_t>(shape.size());
  for (size_t dim = 0; fits && dim < shape.size(); ++dim)
    fits = type.isDynamicDim(dim) ||
           shape[dim] == PlanSize{type.getDimSize(dim), ""};
  if (!fits)
    return createErrorAt(cast, "no GPU code for a cast to sizes that are not "
                               "those of " +
                                   formatPlanType(plan.tensors[*source]));
  tensorOf[cast.getResult()] = *source;
  return Error::success();
}
