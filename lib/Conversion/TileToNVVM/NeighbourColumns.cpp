//===- NeighbourColumns.cpp - unrolls bodies over adjacent columns --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NeighbourColumns.h"

#include "ColumnCount.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// Finds out which of the numbers that one is computed of are multiples.
class Multiples {
public:
  Multiples(int64_t divisor, Value known) : divisor(divisor) {
    found[known] = true;
  }

  bool contains(Value value) {
    if (auto known = found.find(value); known != found.end())
      return known->second;
    bool isMultiple = compute(value);
    return found[value] = isMultiple;
  }

private:
  bool compute(Value value) {
    if (std::optional<int64_t> constant = getConstant(value))
      return *constant % divisor == 0;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto isMultiple = [&](Value operand) { return contains(operand); };
    if (isa<arith::MulIOp>(op))
      return llvm::any_of(op->getOperands(), isMultiple);
    if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp, arith::RemUIOp>(op))
      return llvm::all_of(op->getOperands(), isMultiple);
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return isMultiple(select.getTrueValue()) &&
             isMultiple(select.getFalseValue());
    return false;
  }

  int64_t divisor;
  DenseMap<Value, bool> found;
};
} // namespace

bool parablock::tile::isMultipleOf(Value value, int64_t divisor, Value known) {
  return Multiples(divisor, known).contains(value);
}

NeighbourWriter::NeighbourWriter(Value column, Value first, int64_t width,
                                 int64_t distance)
    : width(width), areNeighbours(distance == 1), first(first), copies(width) {
  Index index{first, {}};
  for (int64_t at = 0; at < width; ++at)
    index.beyond.push_back(at * distance);
  indices[column] = index;
}

//===----------------------------------------------------------------------===//
// Known facts about values
//===----------------------------------------------------------------------===//

bool NeighbourWriter::isUniform(Value value) const {
  if (auto index = indices.find(value); index != indices.end())
    return llvm::all_equal(index->second.beyond);
  if (auto truth = truths.find(value); truth != truths.end())
    return llvm::all_equal(truth->second);
  Value first = copies.front().lookupOrDefault(value);
  return llvm::all_of(copies, [&](const IRMapping &copy) {
    return copy.lookupOrDefault(value) == first;
  });
}

std::optional<NeighbourWriter::Index>
NeighbourWriter::getIndex(Value value) const {
  if (auto index = indices.find(value); index != indices.end())
    return index->second;
  if (std::optional<int64_t> constant = getConstant(value))
    return Index{{}, SmallVector<int64_t>(width, *constant)};
  if (!value.getType().isIndex() || !isUniform(value))
    return std::nullopt;
  return Index{copies.front().lookupOrDefault(value),
               SmallVector<int64_t>(width, 0)};
}

std::optional<int64_t> NeighbourWriter::getNumber(Value value) const {
  std::optional<Index> index = getIndex(value);
  if (!index || index->base || !llvm::all_equal(index->beyond))
    return std::nullopt;
  return index->beyond.front();
}

std::optional<NeighbourWriter::Index>
NeighbourWriter::align(OpBuilder &builder, const Index &index) const {
  if (!areNeighbours)
    return std::nullopt;
  int64_t least = *llvm::min_element(index.beyond);
  int64_t start = llvm::divideFloorSigned(least, width) * width;
  if (*llvm::max_element(index.beyond) >= start + width || !index.base ||
      !isMultipleOf(index.base, width, first))
    return std::nullopt;
  Index aligned = index;
  for (int64_t &beyond : aligned.beyond)
    beyond -= start;
  if (start) {
    Location loc = index.base.getLoc();
    aligned.base = arith::AddIOp::create(
        builder, loc, index.base,
        arith::ConstantIndexOp::create(builder, loc, start));
  }
  return aligned;
}

Value NeighbourWriter::makeIndex(OpBuilder &builder, const Index &index,
                                 int64_t column) {
  int64_t beyond = index.beyond[column];
  if (index.base && beyond == 0)
    return index.base;
  Value &known = sums[{index.base, beyond}];
  Region *here = builder.getInsertionBlock()->getParent();
  if (known && known.getParentRegion()->isAncestor(here))
    return known;
  Location loc = (index.base ? index.base : first).getLoc();
  known = arith::ConstantIndexOp::create(builder, loc, beyond);
  // Without overflow, the backend can prove that addresses are neighbours.
  if (index.base)
    known = arith::AddIOp::create(builder, loc, index.base, known,
                                  arith::IntegerOverflowFlags::nsw);
  return known;
}

Value NeighbourWriter::get(OpBuilder &builder, Value value, int64_t column) {
  if (auto index = indices.find(value); index != indices.end())
    return makeIndex(builder, Index(index->second), column);
  if (auto truth = truths.find(value); truth != truths.end())
    return arith::ConstantIntOp::create(builder, value.getLoc(),
                                        truth->second[column], 1);
  return copies[column].lookupOrDefault(value);
}

void NeighbourWriter::setUniform(Value value, Value written) {
  for (IRMapping &copy : copies)
    copy.map(value, written);
}

//===----------------------------------------------------------------------===//
// Ops on places
//===----------------------------------------------------------------------===//

std::optional<NeighbourWriter::Index>
NeighbourWriter::writeSum(OpBuilder &builder, Operation *op) {
  std::optional<Index> a = getIndex(op->getOperand(0));
  std::optional<Index> b = getIndex(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  bool isSum = isa<arith::AddIOp>(op);
  for (auto [sum, other] : llvm::zip_equal(a->beyond, b->beyond))
    sum += isSum ? other : -other;
  if (!b->base)
    return a;
  if (!isSum && !a->base)
    return std::nullopt;
  if (!a->base)
    a->base = b->base;
  else if (isSum)
    a->base = arith::AddIOp::create(builder, op->getLoc(), a->base, b->base);
  else
    a->base = arith::SubIOp::create(builder, op->getLoc(), a->base, b->base);
  return a;
}

std::optional<NeighbourWriter::Index>
NeighbourWriter::writeQuotient(OpBuilder &builder, Operation *op) {
  std::optional<Index> dividend = getIndex(op->getOperand(0));
  std::optional<int64_t> divisor = getNumber(op->getOperand(1));
  if (!dividend || !divisor || *divisor <= 0)
    return std::nullopt;
  bool isRest = isa<arith::RemUIOp>(op);
  Index result = *dividend;
  bool isPositive =
      llvm::all_of(result.beyond, [](int64_t beyond) { return beyond >= 0; });
  bool isFirstMultiple = areNeighbours && width % *divisor == 0;
  if (isPositive &&
      (!result.base || isMultipleOf(result.base, *divisor,
                                    isFirstMultiple ? first : Value()))) {
    for (int64_t &beyond : result.beyond)
      beyond = isRest ? beyond % *divisor : beyond / *divisor;
    if (isRest)
      result.base = {};
    if (!result.base)
      return result;
  } else if (std::optional<Index> aligned = align(builder, result);
             aligned && *divisor % width == 0) {
    result = *aligned;
    if (!isRest)
      result.beyond.assign(width, 0);
  } else {
    return std::nullopt;
  }
  Value by = arith::ConstantIndexOp::create(builder, op->getLoc(), *divisor);
  if (isRest)
    result.base =
        arith::RemUIOp::create(builder, op->getLoc(), result.base, by);
  else
    result.base =
        arith::DivUIOp::create(builder, op->getLoc(), result.base, by);
  return result;
}

bool NeighbourWriter::writeComparison(OpBuilder &builder, arith::CmpIOp op) {
  std::optional<Index> place = getIndex(op.getLhs());
  std::optional<int64_t> border = getNumber(op.getRhs());
  bool isBelow = op.getPredicate() == arith::CmpIPredicate::slt ||
                 op.getPredicate() == arith::CmpIPredicate::ult;
  if (!place || !border || *border < 0 || !isBelow)
    return false;
  if (!place->base) {
    if (llvm::any_of(place->beyond, [](int64_t at) { return at < 0; }))
      return false;
    for (int64_t beyond : place->beyond)
      truths[op].push_back(beyond < *border);
    return true;
  }
  std::optional<Index> aligned = align(builder, *place);
  if (!aligned || *border % width)
    return false;
  Value by = arith::ConstantIndexOp::create(builder, op.getLoc(), *border);
  setUniform(op, arith::CmpIOp::create(builder, op.getLoc(), op.getPredicate(),
                                       aligned->base, by));
  return true;
}

bool NeighbourWriter::writeSelect(OpBuilder &builder, arith::SelectOp op) {
  Value sides[] = {op.getFalseValue(), op.getTrueValue()};
  if (auto known = truths.find(op.getCondition()); known != truths.end()) {
    Index index;
    bool isIndex = op.getType().isIndex();
    for (auto [at, truth] : llvm::enumerate(known->second)) {
      std::optional<Index> chosen = getIndex(sides[truth]);
      isIndex &= chosen && (at == 0 || chosen->base == index.base);
      if (isIndex) {
        index.base = chosen->base;
        index.beyond.push_back(chosen->beyond[at]);
      }
    }
    if (isIndex)
      indices[op] = index;
    else
      for (int64_t at = 0; at < width; ++at)
        copies[at].map(op.getResult(),
                       get(builder, sides[known->second[at]], at));
    return true;
  }
  std::optional<Index> no = getIndex(sides[0]), yes = getIndex(sides[1]);
  if (!no || !yes || !isUniform(op.getCondition()))
    return false;
  int64_t distance = no->beyond.front() - yes->beyond.front();
  Index result;
  for (auto [a, b] : llvm::zip_equal(no->beyond, yes->beyond)) {
    if (a - b != distance)
      return false;
    result.beyond.push_back(b - yes->beyond.front());
  }
  result.base = arith::SelectOp::create(
      builder, op.getLoc(), get(builder, op.getCondition(), 0),
      makeIndex(builder, *yes, 0), makeIndex(builder, *no, 0));
  indices[op] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// One branch for all columns, on one side of it.
bool NeighbourWriter::writeBranch(OpBuilder &builder, scf::IfOp op) {
  if (!isUniform(op.getCondition()))
    return false;
  SmallVector<Value> results;
  unsigned count = op.getNumResults();
  if (auto known = truths.find(op.getCondition()); known != truths.end()) {
    Block *side = known->second.front() ? op.thenBlock() : op.elseBlock();
    if (side)
      results = write(builder, *side);
  } else {
    SmallVector<Type> types;
    for (int64_t at = 0; at < width; ++at)
      llvm::append_range(types, op.getResultTypes());
    auto branch = scf::IfOp::create(
        builder, op.getLoc(), types, get(builder, op.getCondition(), 0),
        /*addThenBlock=*/true, /*addElseBlock=*/op.elseBlock() != nullptr);
    auto fill = [&](Block *from, Block *to) {
      if (!from)
        return;
      OpBuilder inner = OpBuilder::atBlockEnd(to);
      SmallVector<Value> values = write(inner, *from);
      scf::YieldOp::create(inner, op.getLoc(), values);
    };
    fill(op.thenBlock(), branch.thenBlock());
    fill(op.elseBlock(), branch.elseBlock());
    llvm::append_range(results, branch.getResults());
  }
  for (auto [at, value] : llvm::enumerate(results))
    copies[at / count].map(op.getResult(at % count), value);
  return true;
}

/// Creates one loop for all rows, whose bounds are equal.
bool NeighbourWriter::writeColumns(OpBuilder &builder, ColumnsOp op) {
  if (!isUniform(op.getFrom()) || !isUniform(op.getTo()))
    return false;
  auto loop =
      ColumnsOp::create(builder, op.getLoc(), get(builder, op.getFrom(), 0),
                        get(builder, op.getTo(), 0));
  loop->setAttrs(op->getAttrs());
  Block &from = op.getBody().front();
  Block &to = loop.getBody().emplaceBlock();
  setUniform(from.getArgument(0),
             to.addArgument(builder.getIndexType(), op.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&to);
  write(inner, from);
  YieldOp::create(inner, op.getLoc());
  return true;
}

bool NeighbourWriter::writeKnown(OpBuilder &builder, Operation *op) {
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return writeComparison(builder, comparison);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return writeSelect(builder, select);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return writeBranch(builder, branch);
  if (auto columns = dyn_cast<ColumnsOp>(op))
    return writeColumns(builder, columns);
  std::optional<Index> index;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    index = writeSum(builder, op);
  else if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    index = writeQuotient(builder, op);
  if (!index)
    return false;
  indices[op->getResult(0)] = *index;
  return true;
}

Operation *NeighbourWriter::clone(OpBuilder &builder, Operation *op,
                                  int64_t column) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (indices.contains(operand) || truths.contains(operand))
        copies[column].map(operand, get(builder, operand, column));
  });
  return builder.clone(*op, copies[column]);
}

void NeighbourWriter::writeOp(OpBuilder &builder, Operation *op) {
  if (op->getNumOperands() && writeKnown(builder, op))
    return;
  bool isOnce = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                llvm::all_of(op->getOperands(),
                             [&](Value value) { return isUniform(value); });
  if (!isOnce) {
    for (int64_t at = 0; at < width; ++at)
      clone(builder, op, at);
    return;
  }
  Operation *once = clone(builder, op, 0);
  for (auto [value, written] :
       llvm::zip_equal(op->getResults(), once->getResults()))
    setUniform(value, written);
}

SmallVector<Value> NeighbourWriter::write(OpBuilder &builder, Block &body) {
  // The location to write at may be in the body itself.
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  // Neighbouring stores stay together.
  SmallVector<Operation *> stores;
  auto writeStores = [&] {
    for (int64_t at = 0; at < width; ++at)
      for (Operation *store : stores)
        clone(builder, store, at);
    stores.clear();
  };
  for (Operation *op : ops) {
    if (isa<StoreOp>(op)) {
      stores.push_back(op);
      continue;
    }
    if (op->getNumRegions() || !isMemoryEffectFree(op))
      writeStores();
    writeOp(builder, op);
  }
  writeStores();
  SmallVector<Value> values;
  for (int64_t at = 0; at < width; ++at)
    for (Value value : body.getTerminator()->getOperands())
      values.push_back(get(builder, value, at));
  return values;
}
