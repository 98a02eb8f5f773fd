//===- Mutations.cpp - one thing that is not as it was --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::spellings;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Another number in the place of `value`; the constant has one user only.
static void replaceNumber(Operation *op, unsigned index, double number) {
  OpBuilder builder(op->getContext());
  Operation *constant = op->getOperand(index).getDefiningOp();
  builder.setInsertionPointAfter(constant);
  Operation *other = builder.clone(*constant);
  if (auto scalar = dyn_cast<arith::ConstantOp>(other);
      scalar && isa<FloatType>(scalar.getType())) {
    scalar.setValueAttr(builder.getFloatAttr(scalar.getType(), number));
  } else {
    auto type = cast<ShapedType>(other->getResult(0).getType());
    Attribute element = builder.getFloatAttr(type.getElementType(), number);
    auto splat = DenseElementsAttr::get(type, element);
    if (scalar)
      scalar.setValueAttr(splat);
    else
      cast<tosa::ConstOp>(other).setValuesAttr(splat);
  }
  op->setOperand(index, other->getResult(0));
}

/// Finds what a number is for, by the op that reads it.
static StringRef getRole(Operation *op, double number) {
  if (isa<arith::SelectOp, tosa::SelectOp>(op))
    return "mask-fill";
  if (isa<arith::AddFOp, tosa::AddOp>(op) && std::abs(number) < 1e-3)
    return "epsilon";
  if (isa<arith::MulFOp, tosa::MulOp, arith::DivFOp>(op))
    return "scale";
  return "constant";
}

static void addNumbers(Operation *op, Sites &sites) {
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<double> number = getConstant(operand.get());
    // Fills of sums, identities of TOSA and tables are not of interest.
    if (!number || isa<linalg::FillOp>(op) ||
        (*number == 0 && !isa<arith::SelectOp, tosa::SelectOp>(op)))
      continue;
    unsigned index = operand.getOperandNumber();
    StringRef role = getRole(op, *number);
    double other = role == "mask-fill" ? (*number < -1 ? -1.0 : *number - 1)
                   : role == "epsilon" ? *number * 1000
                                       : *number * 1.25;
    sites.push_back({role, op, [=] { replaceNumber(op, index, other); }});
  }
}

//===----------------------------------------------------------------------===//
// Functions, predicates, signs
//===----------------------------------------------------------------------===//

/// Another op with the same operands and result types.
static void exchange(Operation *op, StringRef name) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name, op->getOperands(),
                       op->getResultTypes());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

static void addExchanges(Operation *op, Sites &sites) {
  static constexpr std::tuple<StringRef, StringRef, StringRef> others[] = {
      {"sign", "arith.subf", "arith.addf"},
      {"sign", "tosa.sub", "tosa.add"},
      {"sum-as-difference", "arith.addf", "arith.subf"},
      {"sum-as-difference", "tosa.add", "tosa.sub"},
      {"function", "math.exp", "math.exp2"},
      {"function", "math.rsqrt", "math.sqrt"},
      {"function", "math.tanh", "math.erf"},
      {"function", "math.erf", "math.tanh"},
      {"function", "math.cos", "math.sin"},
      {"function", "math.sin", "math.cos"},
      {"function", "arith.maximumf", "arith.minimumf"},
      {"function", "tosa.rsqrt", "tosa.reciprocal"},
      {"function", "tosa.tanh", "tosa.sigmoid"},
      {"function", "tosa.sigmoid", "tosa.tanh"},
      {"function", "tosa.erf", "tosa.tanh"},
      {"function", "tosa.cos", "tosa.sin"},
      {"function", "tosa.sin", "tosa.cos"},
      {"function", "tosa.reduce_max", "tosa.reduce_min"},
      {"mask-compare", "tosa.greater_equal", "tosa.greater"},
      {"mask-compare", "tosa.greater", "tosa.greater_equal"},
  };
  StringRef name = op->getName().getStringRef();
  // Attributes of arith and math are flags that the other op need not have.
  bool isPlain = op->getAttrs().empty() || name.starts_with("arith.") ||
                 name.starts_with("math.");
  for (auto [rule, from, to] : others)
    if (name == from && isPlain)
      sites.push_back({rule, op, [op, to = to] { exchange(op, to); }});
}

/// `-x` as `x`: a rotation that turns the other way, for example.
static void addNegations(Operation *op, Sites &sites) {
  if (isa<arith::NegFOp, tosa::NegateOp>(op))
    sites.push_back({"negation", op, [op] {
                       op->replaceAllUsesWith(ValueRange{op->getOperand(0)});
                       op->erase();
                     }});
}

static void addPredicates(Operation *op, Sites &sites) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return;
  using arith::CmpIPredicate;
  auto change = [&](CmpIPredicate from, CmpIPredicate to) {
    if (compare.getPredicate() == from)
      sites.push_back({"mask-compare", op,
                       [compare, to]() mutable { compare.setPredicate(to); }});
  };
  change(CmpIPredicate::sge, CmpIPredicate::sgt);
  change(CmpIPredicate::sge, CmpIPredicate::sle);
  change(CmpIPredicate::sgt, CmpIPredicate::sge);
  change(CmpIPredicate::sle, CmpIPredicate::slt);
  change(CmpIPredicate::slt, CmpIPredicate::sle);
}

/// Queries for keys and keys for queries.
static void addMaskAxes(Operation *op, Sites &sites) {
  bool compares = isa<arith::CmpIOp>(op) ||
                  op->getName().getStringRef() == "tosa.greater_equal" ||
                  op->getName().getStringRef() == "tosa.greater";
  if (compares)
    sites.push_back({"mask-axis", op, [op] {
                       Value first = op->getOperand(0);
                       op->setOperand(0, op->getOperand(1));
                       op->setOperand(1, first);
                     }});
}

/// `f(v + eps)` as `f(v) + eps`.
static void addEpsilonPlaces(Operation *op, Sites &sites) {
  bool isRoot = isa<math::RsqrtOp, math::SqrtOp, tosa::RsqrtOp>(op);
  if (std::optional<Operation *> only = getOnlyBodyOp(op))
    isRoot |= isa<math::RsqrtOp, math::SqrtOp>(*only);
  Operation *added = isRoot ? op->getOperand(0).getDefiningOp() : nullptr;
  if (!added || !added->hasOneUse() ||
      added->getResult(0).getType() != op->getResult(0).getType())
    return;
  bool addsNumber = isa<tosa::AddOp, arith::AddFOp>(added) &&
                    getConstant(added->getOperand(1));
  if (std::optional<Operation *> only = getOnlyBodyOp(added))
    addsNumber |=
        isa<arith::AddFOp>(*only) && getConstant((*only)->getOperand(1));
  if (!addsNumber)
    return;
  sites.push_back({"epsilon-place", op, [op, added] {
                     op->replaceAllUsesWith(added);
                     op->setOperand(0, added->getOperand(0));
                     added->setOperand(0, op->getResult(0));
                     added->moveAfter(op);
                   }});
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Two dimensions of one size, the one in the place of the other.
template <typename Change>
static void addTwins(Operation *op, StringRef rule, ArrayRef<int64_t> shape,
                     Sites &sites, Change change) {
  for (unsigned a = 0; a < shape.size(); ++a)
    for (unsigned b = a + 1; b < shape.size(); ++b)
      if (shape[a] == shape[b] && shape[a] != 1)
        sites.push_back({rule, op, [=]() mutable { change(a, b); }});
}

static void addPermutations(Operation *op, Sites &sites) {
  // The places whose sizes in the result are the same.
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    auto type = cast<RankedTensorType>(transpose.getInit().getType());
    addTwins(op, "permutation", type.getShape(), sites,
             [transpose](unsigned a, unsigned b) mutable {
               SmallVector<int64_t> order(transpose.getPermutation());
               std::swap(order[a], order[b]);
               transpose.setPermutation(order);
             });
  }
  if (auto transpose = dyn_cast<tosa::TransposeOp>(op))
    addTwins(op, "permutation", transpose.getType().getShape(), sites,
             [transpose](unsigned a, unsigned b) mutable {
               SmallVector<int32_t> order(transpose.getPerms());
               std::swap(order[a], order[b]);
               transpose.setPerms(order);
             });
}

/// A sum or maximum over another dimension of the same size: what was reduced
/// is read with both in each other's place.
static void addReductionAxes(Operation *op, Sites &sites) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() != 1 ||
      generic.getNumDpsInputs() != 1)
    return;
  auto type = cast<RankedTensorType>(generic.getInputs()[0].getType());
  AffineMap map = generic.getIndexingMapsArray()[0];
  if (!map.isIdentity())
    return;
  addTwins(op, "reduction-axis", type.getShape(), sites,
           [generic, map](unsigned a, unsigned b) mutable {
             SmallVector<AffineExpr> places(map.getResults());
             std::swap(places[a], places[b]);
             SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
             maps[0] =
                 AffineMap::get(map.getNumDims(), 0, places, map.getContext());
             generic.setIndexingMapsAttr(
                 OpBuilder(generic).getAffineMapArrayAttr(maps));
           });
}

/// The same in TOSA, where what reads it has the whole shape: there a dimension
/// of size 1 fits anywhere.
static void addAxes(Operation *op, Sites &sites) {
  if (!isa<tosa::ReduceSumOp, tosa::ReduceMaxOp>(op))
    return;
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  for (Operation *user : op->getUsers())
    if (user->getNumResults() != 1 ||
        user->getResult(0).getType() != Type(input))
      return;
  unsigned axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  for (unsigned other = 0; other < input.getRank(); ++other)
    if (other != axis && input.getDimSize(other) != 1)
      sites.push_back({"reduction-axis", op, [op, input, other] {
                         SmallVector<int64_t> shape(input.getShape());
                         shape[other] = 1;
                         op->setAttr("axis", OpBuilder(op).getI32IntegerAttr(
                                                 static_cast<int32_t>(other)));
                         op->getResult(0).setType(RankedTensorType::get(
                             shape, input.getElementType()));
                       }});
}

static void addSliceOffsets(Operation *op, Sites &sites) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    ArrayRef<int64_t> whole = slice.getSourceType().getShape();
    for (unsigned dim = 0; dim < whole.size(); ++dim) {
      int64_t offset = slice.getStaticOffsets()[dim];
      int64_t size = slice.getStaticSizes()[dim];
      int64_t other = offset + size < whole[dim] ? offset + 1 : offset - 1;
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
          size == whole[dim] || other < 0)
        continue;
      sites.push_back({"slice-offset", op, [slice, dim, other]() mutable {
                         SmallVector<int64_t> offsets(slice.getStaticOffsets());
                         offsets[dim] = other;
                         slice.setStaticOffsets(offsets);
                       }});
    }
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    if (concat.getInputs().size() > 1 &&
        concat.getInputs()[0].getType() == concat.getInputs()[1].getType())
      sites.push_back({"concat-order", op, [op] {
                         Value first = op->getOperand(0);
                         op->setOperand(0, op->getOperand(1));
                         op->setOperand(1, first);
                       }});
}

static void addTosaSliceOffsets(Operation *op, Sites &sites) {
  auto slice = dyn_cast<tosa::SliceOp>(op);
  auto start =
      slice ? slice.getStart().getDefiningOp<tosa::ConstShapeOp>() : nullptr;
  if (!start)
    return;
  auto offsets = llvm::to_vector(start.getValues().getValues<int64_t>());
  auto whole = cast<RankedTensorType>(slice.getInput1().getType());
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    int64_t size = slice.getType().getDimSize(dim);
    int64_t other = offsets[dim] + size < whole.getDimSize(dim)
                        ? offsets[dim] + 1
                        : offsets[dim] - 1;
    if (size == whole.getDimSize(dim) || other < 0)
      continue;
    sites.push_back({"slice-offset", op, [=]() mutable {
                       OpBuilder builder(slice);
                       offsets[dim] = other;
                       Value shifted = tosa::ConstShapeOp::create(
                           builder, slice.getLoc(), start.getType(),
                           builder.getIndexTensorAttr(offsets));
                       slice.getStartMutable().assign(shifted);
                     }});
  }
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

/// The function also returns a value from its inside.
static void addSecondUsers(Operation *op, Sites &sites) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || op->getNumResults() != 1 || !function.isPublic())
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isF32() || op->use_empty() ||
      isa<arith::ConstantOp, tosa::ConstOp, tensor::EmptyOp, linalg::FillOp>(
          op))
    return;
  sites.push_back(
      {"second-user", op, [op, function, type]() mutable {
         Operation *back = function.getBody().front().getTerminator();
         back->insertOperands(back->getNumOperands(), op->getResult(0));
         (void)function.insertResult(function.getNumResults(), type, {});
       }});
}

Sites spellings::findMutations(ModuleOp module) {
  Sites sites;
  module.walk([&](Operation *op) {
    if (isa<ModuleOp, func::FuncOp>(op))
      return;
    addNumbers(op, sites);
    addExchanges(op, sites);
    addNegations(op, sites);
    addPredicates(op, sites);
    addMaskAxes(op, sites);
    addEpsilonPlaces(op, sites);
    addPermutations(op, sites);
    addReductionAxes(op, sites);
    addAxes(op, sites);
    addSliceOffsets(op, sites);
    addTosaSliceOffsets(op, sites);
    addSecondUsers(op, sites);
  });
  return sites;
}
