//===- ElementLoops.cpp - structured ops and shared reductions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"

using namespace mlir;
using namespace parablock;

using linalg::LinalgOp;

static SmallVector<unsigned> getReductionDims(LinalgOp op) {
  SmallVector<unsigned> dims;
  op.getReductionDims(dims);
  return dims;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

Value ElementEmitter::emitOperand(TileCode code, OpOperand &operand,
                                  const Body &body) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return emitScalar(code, operand.get());
  auto op = cast<LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  // A block argument of such a region is not a value for maps of another
  // region.
  return emit(code, operand.get(),
              ElementPosition::at(applyMap(code, map, body.loops)));
}

Value ElementEmitter::emitArgument(TileCode code, BlockArgument argument,
                                   Body &body) {
  auto op = dyn_cast<LinalgOp>(body.region->getParentOp());
  if (!op)
    return body.loops[argument.getArgNumber()];
  return emitOperand(code, op->getOpOperand(argument.getArgNumber()), body);
}

SmallVector<Value> ElementEmitter::emitYielded(TileCode code, Body &body,
                                               ValueRange yielded) {
  bodies.push_back(&body);
  SmallVector<Value> values;
  for (Value value : yielded) {
    values.push_back(emitScalar(code, value));
    if (!values.back()) {
      values.clear();
      break;
    }
  }
  bodies.pop_back();
  return values;
}

Value ElementEmitter::emitRegion(TileCode code, Region &region,
                                 SmallVector<Value> indices) {
  Body body(region, std::move(indices));
  SmallVector<Value> values =
      emitYielded(code, body, region.front().getTerminator()->getOperand(0));
  return values.empty() ? Value() : values.front();
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

Value ElementEmitter::emitStructured(TileCode code, LinalgOp op,
                                     OpResult result, ElementPosition &at) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  Body body(op->getRegion(0), SmallVector<Value>(op.getNumLoops()));
  SmallVector<Value> indices = places.getIndices(code, result, at);
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), indices))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      body.loops[dim.getPosition()] = index;
  SmallVector<unsigned> reductions = getReductionDims(op);
  for (auto [dim, loop] : llvm::enumerate(body.loops))
    if (!loop && !llvm::is_contained(reductions, dim)) {
      op.emitError() << "no GPU code for '" << op->getName()
                     << "' with a parallel loop that its result does not have "
                        "as an index: "
                     << AffineMapAttr::get(map);
      return {};
    }
  if (!reductions.empty()) {
    SmallVector<Value> all = emitReduction(code, op, body);
    if (all.empty())
      return {};
    for (OpResult other : op->getResults())
      if (op.getIndexingMapMatchingResult(other) == map)
        remember(makeKey(other, at), all[other.getResultNumber()]);
    return all[result.getResultNumber()];
  }
  // An operand with the result's layout is read at the same place, whatever the
  // map.
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty() || op.getMatchingIndexingMap(&operand) != map ||
        !isa<RankedTensorType>(operand.get().getType()) || !at.flat)
      continue;
    Value element = emit(code, operand.get(), at);
    if (!element)
      return {};
    body.known[argument] = element;
  }
  Value yielded =
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  SmallVector<Value> values = emitYielded(code, body, yielded);
  return values.empty() ? Value() : values.front();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Returns the operand that defines the extent of a loop.
static std::optional<std::pair<Value, int64_t>> findExtent(LinalgOp op,
                                                           unsigned dim) {
  for (OpOperand &operand : op->getOpOperands())
    for (auto [position, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (expr == getAffineDimExpr(dim, op.getContext()))
        return std::pair(operand.get(), static_cast<int64_t>(position));
  return std::nullopt;
}

Value ElementEmitter::emitExtent(TileCode code, LinalgOp op, unsigned dim) {
  if (auto extent = findExtent(op, dim))
    return places.emitSize(code, extent->first, extent->second);
  op.emitError() << "no GPU code for '" << op->getName()
                 << "' with a loop that is no index of an operand";
  return {};
}

/// Returns the combiner of a sum or a maximum of f32 over all reduced elements;
/// null for others.
static Operation *findSharedCombiner(LinalgOp op) {
  if (op->getNumResults() != 1)
    return nullptr;
  BlockArgument carried = op.getRegionOutputArgs().front();
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MaximumFOp>(combiner) ||
      !carried.getType().isF32() || !carried.hasOneUse() ||
      *carried.user_begin() != combiner ||
      combiner->getOperand(0) == combiner->getOperand(1))
    return nullptr;
  return combiner;
}

bool parablock::isSharedReduction(LinalgOp op) {
  constexpr int64_t fewSteps = 32, fewResults = 256;
  SmallVector<unsigned> dims = getReductionDims(op);
  if (dims.empty() || !findSharedCombiner(op))
    return false;
  int64_t steps = 1;
  for (unsigned dim : dims) {
    auto extent = findExtent(op, dim);
    if (!extent)
      return false;
    int64_t size = cast<RankedTensorType>(extent->first.getType())
                       .getDimSize(extent->second);
    // Open sizes are long.
    steps *= ShapedType::isDynamic(size) ? fewSteps : size;
  }
  if (steps < fewSteps)
    return false;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (result.hasStaticShape() && result.getNumElements() <= fewResults)
    return true;
  // Neighbouring lanes read neighbours.
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() == 0)
      return true;
    AffineExpr last = map.getResults().back();
    return last.isSymbolicOrConstant() || last.isFunctionOfDim(dims.back());
  });
}

SmallVector<Value> ElementEmitter::emitReduction(TileCode code, LinalgOp op,
                                                 Body body) {
  SmallVector<unsigned> dims = getReductionDims(op);
  SmallVector<Value> inits;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    // An unread init contributes no elements.
    bool isRead = !op.getMatchingBlockArgument(&init).use_empty();
    Type type = cast<RankedTensorType>(init.get().getType()).getElementType();
    Value first =
        isRead ? emitOperand(code, init, body)
               : arith::ConstantOp::create(code.builder, code.loc,
                                           code.builder.getZeroAttr(type));
    if (!first)
      return {};
    inits.push_back(first);
  }
  if (!areShared || !isSharedReduction(op))
    return emitSerial(code, op, std::move(body), dims, inits);
  Value total = emitShared(code, op, std::move(body), dims);
  if (!total)
    return {};
  if (isa<arith::AddFOp>(findSharedCombiner(op)))
    return {code.add(inits.front(), total)};
  return {
      arith::MaximumFOp::create(code.builder, code.loc, inits.front(), total)};
}

Value ElementEmitter::emitShared(TileCode code, LinalgOp op, Body body,
                                 ArrayRef<unsigned> dims) {
  SmallVector<Value> extents;
  Value steps = code.index(1);
  for (unsigned dim : dims) {
    extents.push_back(emitExtent(code, op, dim));
    if (!extents.back())
      return {};
    steps = dims.size() == 1 ? extents.back()
                             : code.mulIndex(steps, extents.back());
  }
  Operation *combiner = findSharedCombiner(op);
  bool isCarried = combiner->getOperand(0) == op.getRegionOutputArgs().front();
  Value element = combiner->getOperand(isCarried ? 1 : 0);
  tile::Reduction kind = isa<arith::AddFOp>(combiner) ? tile::Reduction::Add
                                                      : tile::Reduction::Max;
  bool isWritten = true;
  Value total = code.reduce(
      kind, code.index(0), steps, [&](TileCode inner, Value step) -> Value {
        Scope scope(*this, /*lanes=*/true);
        SmallVector<Value> indices = delinearise(inner, step, extents);
        for (auto [dim, index] : llvm::zip_equal(dims, indices))
          body.loops[dim] = index;
        SmallVector<Value> values = emitYielded(inner, body, element);
        isWritten = !values.empty();
        return isWritten ? values.front() : inner.f32(0);
      });
  return isWritten ? total : Value();
}

SmallVector<Value> ElementEmitter::emitSerial(TileCode code, LinalgOp op,
                                              Body body,
                                              ArrayRef<unsigned> dims,
                                              ValueRange carried) {
  if (dims.empty()) {
    for (auto [argument, value] :
         llvm::zip_equal(op.getRegionOutputArgs(), carried))
      body.known[argument] = value;
    return emitYielded(code, body,
                       op.getBlock()->getTerminator()->getOperands());
  }
  Value extent = emitExtent(code, op, dims.front());
  if (!extent)
    return {};
  bool isWritten = true;
  SmallVector<Value> results =
      code.accumulate(code.index(0), extent, carried,
                      [&](TileCode inner, Value index, ValueRange values) {
                        Scope scope(*this);
                        body.loops[dims.front()] = index;
                        SmallVector<Value> next = emitSerial(
                            inner, op, body, dims.drop_front(), values);
                        isWritten = !next.empty();
                        return isWritten ? next : SmallVector<Value>(values);
                      });
  return isWritten ? results : SmallVector<Value>();
}
