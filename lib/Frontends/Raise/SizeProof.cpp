//===- SizeProof.cpp - walks functions and refuses sizes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeProof.h"

#include "SizeForms.h"
#include "SizeWalk.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace parablock::raise;

//===----------------------------------------------------------------------===//
// Refusals and needs
//===----------------------------------------------------------------------===//

Location parablock::raise::findPlace(Operation *op) {
  while (isa<UnknownLoc>(op->getLoc()) && !op->use_empty())
    op = *llvm::min_element(op->getUsers(), [](Operation *a, Operation *b) {
      return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
    });
  return op->getLoc();
}

void SizeWalk::refuse(Operation *op, const Twine &what) {
  if (!needs.refusal)
    needs.refusal = SizeRefusal{what.str(), findPlace(op)};
}

/// Size names that a form depends on, for messages.
std::string SizeWalk::describe(const Form &form) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  SmallVector<StringRef> found;
  bool hasIndices = form.kind == Form::Kind::Mixed;
  if (hasIndices && form.summary.shifts && form.summary.nature != Nature::Other)
    return "positions and open sizes";
  if (form.kind == Form::Kind::Line || form.kind == Form::Kind::Table) {
    hasIndices = form.line.hasIndices();
    for (const auto &[monomial, factor] : form.line.getTerms())
      for (unsigned variable : monomial)
        if (variable < names.size() &&
            !llvm::is_contained(found, names[variable]))
          found.push_back(names[variable]);
  }
  if (hasIndices)
    stream << "positions";
  if (hasIndices && !found.empty())
    stream << " and ";
  if (!found.empty())
    stream << (found.size() == 1 ? "the open size " : "the open sizes ");
  llvm::interleaveComma(found, stream,
                        [&](StringRef name) { stream << "'" << name << "'"; });
  return text.empty() ? "open sizes" : text;
}

void SizeWalk::refuseForm(const Form &form, const Summary &summary,
                          Operation *reader) {
  Operation *origin = summary.origin ? summary.origin : reader;
  double change =
      summary.nature == Nature::Other ? summary.change : summary.bound;
  std::string why = "has no rule";
  if (change > 0 && change < kReach)
    why = "changes at " + std::to_string(static_cast<int64_t>(change));
  refuse(origin, "the result of '" + origin->getName().getStringRef() +
                     "' on " + describe(form) + " " + why +
                     ", and two sizes do not prove all others: write sizes "
                     "as numbers");
}

static SizeReader describeReader(Operation *op) {
  return {op->getName(), findPlace(op)};
}

void SizeWalk::use(const Form &form, Operation *reader) {
  if (form.isData())
    return;
  Summary summary = settle(form);
  // Sizes and positions meet where both are small.
  bool bends = summary.shifts && summary.bound > 2;
  if (summary.nature == Nature::Other || bends)
    return refuseForm(form, summary, reader);
  if (form.kind == Form::Kind::Line && !form.line.hasIndices())
    needs.extents.push_back(form.line);
  if (summary.bound > 0)
    needs.bends.push_back(
        {static_cast<int64_t>(std::ceil(summary.bound)),
         describeReader(summary.origin ? summary.origin : reader)});
  for (const RowsRead &rows : summary.rows)
    needs.ends.push_back({rows.read, rows.rows, describeReader(reader)});
}

void SizeWalk::requireExact(Value size, Operation *reader) {
  Form form = get(size);
  if (form.isData() || form.kind == Form::Kind::Number)
    return;
  if (form.kind != Form::Kind::Line)
    return refuseForm(form, settle(form), reader);
  if (!form.line.hasIndices())
    needs.extents.push_back(form.line);
}

//===----------------------------------------------------------------------===//
// Sizes of tensors
//===----------------------------------------------------------------------===//

Polynomial SizeWalk::toPolynomial(OpFoldResult size) {
  if (auto attribute = dyn_cast<Attribute>(size))
    return cast<IntegerAttr>(attribute).getInt();
  std::optional<Polynomial> exact = getExact(get(cast<Value>(size)));
  return exact && !exact->hasIndices() ? *exact : makeUnknown();
}

Polynomial SizeWalk::makeUnknown() { return Polynomial::variable(nextSize++); }

const Polynomial &SizeWalk::getSize(Value value, unsigned d) {
  std::pair key(value.getAsOpaquePointer(), d);
  auto found = sizes.find(key);
  if (found != sizes.end())
    return found->second;
  Polynomial size = computeSize(value, d);
  return sizes.try_emplace(key, size).first->second;
}

Polynomial SizeWalk::computeSize(Value value, unsigned d) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(d))
    return type.getDimSize(d);
  Operation *op = value.getDefiningOp();
  if (!op)
    return makeUnknown();
  OpBuilder builder(op->getContext());
  return llvm::TypeSwitch<Operation *, Polynomial>(op)
      .Case([&](tensor::CastOp cast) {
        return isa<RankedTensorType>(cast.getSource().getType())
                   ? getSize(cast.getSource(), d)
                   : makeUnknown();
      })
      .Case([&](tensor::EmptyOp empty) {
        return toPolynomial(empty.getMixedSizes()[d]);
      })
      .Case([&](tensor::SplatOp splat) {
        return toPolynomial(
            splat.getDynamicSizes()[type.getDynamicDimIndex(d)]);
      })
      .Case([&](tensor::GenerateOp made) {
        return toPolynomial(
            made.getDynamicExtents()[type.getDynamicDimIndex(d)]);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        SmallVector<OpFoldResult> taken = slice.getMixedSizes();
        unsigned kept = 0;
        for (unsigned k = 0; k < taken.size(); ++k)
          if (!dropped[k] && kept++ == d)
            return toPolynomial(taken[k]);
        return makeUnknown();
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return toPolynomial(expand.getMixedOutputShape()[d]);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        std::optional<Polynomial> product = Polynomial(1);
        for (int64_t k : collapse.getReassociationIndices()[d])
          product =
              product ? product->times(getSize(collapse.getSrc(), k)) : product;
        return product ? *product : makeUnknown();
      })
      .Case([&](tensor::ReshapeOp reshape) {
        auto elements =
            reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
        return elements ? toPolynomial(OpFoldResult(elements.getElements()[d]))
                        : makeUnknown();
      })
      .Case([&](tensor::ConcatOp concat) {
        std::optional<Polynomial> sum = getSize(concat.getInputs().front(), d);
        if (d == concat.getDim())
          for (Value part : concat.getInputs().drop_front())
            sum = sum ? sum->plus(getSize(part, d)) : sum;
        return sum ? *sum : makeUnknown();
      })
      .Case([&](DestinationStyleOpInterface out) {
        return getSize(out.getTiedOpOperand(cast<OpResult>(value))->get(), d);
      })
      .Default([&](Operation *) {
        if (OpTrait::hasElementwiseMappableTraits(op))
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return getSize(operand, d);
        return makeUnknown();
      });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Form SizeWalk::get(Value value) const {
  auto found = forms.find(value);
  return found == forms.end() ? Form() : found->second;
}

std::optional<Form> SizeWalk::readConstant(Operation *op) {
  Attribute value;
  if (op->getNumResults() != 1 || !matchPattern(op, m_Constant(&value)))
    return std::nullopt;
  auto toNumber = [](Attribute element) -> std::optional<double> {
    if (auto number = dyn_cast<FloatAttr>(element))
      return number.getValueAsDouble();
    if (auto number = dyn_cast<BoolAttr>(element))
      return number.getValue();
    if (auto number = dyn_cast<IntegerAttr>(element))
      return static_cast<double>(number.getValue().getSExtValue());
    return std::nullopt;
  };
  if (std::optional<double> number = toNumber(value))
    return Form::ofNumber(*number);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.empty())
    return Form::ofTensor();
  Attribute first = *dense.value_begin<Attribute>();
  bool isOne = dense.isSplat();
  if (!isOne && dense.getNumElements() <= kFewElements)
    isOne = llvm::all_equal(dense.getValues<Attribute>());
  std::optional<double> number = isOne ? toNumber(first) : std::nullopt;
  return number ? Form::ofNumber(*number) : Form::ofTensor();
}

void SizeWalk::visitUnknown(Operation *op) {
  bool hasData = false, areFixed = true;
  auto look = [&](Value operand) {
    Form form = get(operand);
    hasData |= form.isData();
    areFixed &=
        form.kind == Form::Kind::Number || form.kind == Form::Kind::Tensor;
  };
  llvm::for_each(op->getOperands(), look);
  op->walk([&](Operation *inner) {
    if (inner != op)
      llvm::for_each(inner->getOperands(), look);
  });
  if (op->getNumOperands() == 0 && op->getNumRegions() == 0)
    areFixed = false, hasData = true;
  if (hasData) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        use(get(operand), op);
    });
    return;
  }
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool isKnown = areFixed && (!type || type.hasStaticShape());
    set(result, isKnown ? Form::ofTensor() : Form::ofOther(op));
  }
}

/// True of comparisons for equality alone: whether sizes are broadcast.
bool SizeWalk::isBroadcast(Value condition) const {
  Operation *op = condition.getDefiningOp();
  auto isSize = [&](Value value) {
    Form form = get(value);
    return form.kind != Form::Kind::Number || form.number == 1;
  };
  if (auto cmp = dyn_cast_or_null<arith::CmpIOp>(op))
    return cmp.getPredicate() == arith::CmpIPredicate::eq &&
           llvm::all_of(cmp->getOperands(), isSize);
  return isa_and_nonnull<arith::OrIOp, arith::AndIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isBroadcast(operand); });
}

void SizeWalk::visitAssertion(cf::AssertOp assertion) {
  Form form = get(assertion.getArg());
  if (form.isData() || form.kind == Form::Kind::Number ||
      isBroadcast(assertion.getArg()))
    return;
  refuseForm(form, settle(form), assertion);
}

/// Returns whether a size of 1 selects the first index of a loop of that size,
/// which is its only one.
bool SizeWalk::isOnlyIndex(arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto index = select.getFalseValue().getDefiningOp<linalg::IndexOp>();
  if (!compare || !index || !loops || index.getDim() >= loops->size() ||
      compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_One()) ||
      !matchPattern(select.getTrueValue(), m_Zero()))
    return false;
  std::optional<Polynomial> extent = (*loops)[index.getDim()];
  return extent && *extent == toPolynomial(OpFoldResult(compare.getLhs()));
}

/// Returns an expression of sizes and positions; none if a division has a
/// remainder.
static std::optional<Polynomial> evaluateSizes(AffineExpr expression,
                                               unsigned numDims,
                                               ArrayRef<Polynomial> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return Polynomial(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[numDims + symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expression);
  std::optional<Polynomial> a = evaluateSizes(both.getLHS(), numDims, operands);
  std::optional<Polynomial> b = evaluateSizes(both.getRHS(), numDims, operands);
  if (!a || !b)
    return std::nullopt;
  switch (both.getKind()) {
  case AffineExprKind::Add:
    return a->plus(*b);
  case AffineExprKind::Mul:
    return a->times(*b);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return a->dividedBy(*b);
  default:
    return std::nullopt;
  }
}

void SizeWalk::visitApply(affine::AffineApplyOp apply) {
  SmallVector<Polynomial> operands;
  for (Value operand : apply.getMapOperands()) {
    Form form = get(operand);
    if (form.isData())
      return visitUnknown(apply);
    std::optional<Polynomial> exact = getExact(form);
    if (!exact)
      return set(apply, Form::ofOther(apply));
    operands.push_back(*exact);
  }
  AffineMap map = apply.getMap();
  std::optional<Polynomial> result =
      evaluateSizes(map.getResult(0), map.getNumDims(), operands);
  set(apply, result ? Form::ofLine(*result) : Form::ofOther(apply));
}

void SizeWalk::visitElementwise(Operation *op) {
  SmallVector<Form> given;
  bool hasData = false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (Value operand : op->getOperands()) {
    given.push_back(get(operand));
    hasData |= given.back().isData();
  }
  if (isa<arith::SelectOp>(op) && given[0].kind == Form::Kind::Number)
    return set(op->getResult(0), given[given[0].number != 0 ? 1 : 2]);
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isOnlyIndex(select))
    return set(op->getResult(0), given[2]);
  if (hasData) {
    for (const Form &form : given)
      use(form, op);
    return;
  }
  auto getExtent = [&](unsigned variable) -> std::optional<Polynomial> {
    unsigned d = variable - kFirstIndex;
    if (type)
      return getSize(op->getResult(0), d);
    return loops && d < loops->size() ? (*loops)[d] : std::nullopt;
  };
  set(op->getResult(0), rules.apply(op, given, getExtent));
}

void SizeWalk::visit(Operation *op) {
  if (std::optional<Form> constant = readConstant(op))
    return set(op->getResult(0), *constant);
  bool isUpstream = isa_and_nonnull<tensor::TensorDialect>(op->getDialect());
  if (isUpstream && !isa<tensor::DimOp, tensor::FromElementsOp,
                         tensor::ExtractOp, tensor::ReshapeOp>(op))
    for (Value operand : op->getOperands())
      if (operand.getType().isIndex())
        requireExact(operand, op);
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(generic);
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    return visitAssertion(assertion);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return visitApply(apply);
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    for (Value operand : op->getOperands())
      use(get(operand), op);
    return;
  }
  if (visitTensor(op))
    return;
  bool isScalar = isa_and_nonnull<arith::ArithDialect>(op->getDialect());
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
      (isScalar || OpTrait::hasElementwiseMappableTraits(op)))
    return visitElementwise(op);
  visitUnknown(op);
}

SizeNeeds parablock::raise::findSizeNeeds(
    FunctionOpInterface function,
    function_ref<unsigned(unsigned, unsigned)> sizeOf,
    ArrayRef<StringRef> names) {
  SizeNeeds needs;
  SizeWalk walk(needs, names);
  for (BlockArgument argument : function.getArguments())
    walk.addArgument(argument, sizeOf);
  for (Operation &op : function.getFunctionBody().front()) {
    walk.visit(&op);
    if (needs.refusal)
      break;
  }
  return needs;
}
