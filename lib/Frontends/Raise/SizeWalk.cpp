//===- SizeWalk.cpp - forms of slices, concats and reshapes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::raise;

static Polynomial getIndex(unsigned d) {
  return Polynomial::variable(kFirstIndex + d);
}

static bool isFixed(const Form &form) {
  return form.kind == Form::Kind::Number || form.kind == Form::Kind::Tensor;
}

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

void SizeWalk::addArgument(BlockArgument argument,
                           function_ref<unsigned(unsigned, unsigned)> sizeOf) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  for (unsigned d = 0, e = type ? type.getRank() : 0; d < e; ++d)
    if (type.isDynamicDim(d))
      sizes.insert({{argument.getAsOpaquePointer(), d},
                    Polynomial::variable(sizeOf(argument.getArgNumber(), d))});
}

//===----------------------------------------------------------------------===//
// Tensor ops
//===----------------------------------------------------------------------===//

/// Rows of a table of the module, or a part of another function.
Form SizeWalk::moveSlice(tensor::ExtractSliceOp slice, const Form &source) {
  if (source.kind == Form::Kind::Number)
    return source;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<std::optional<Polynomial>> places;
  Summary summary = settle(source);
  bool isWhole = true, isKnown = true;
  unsigned kept = 0;
  for (auto [d, first, size, step] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    Polynomial start = toPolynomial(first), read = toPolynomial(size);
    std::optional<int64_t> stride = getConstantIntValue(step);
    const Polynomial &all = getSize(slice.getSource(), d);
    isKnown &= start.isConstant() && stride == 1;
    isWhole &= stride == 1 && start == Polynomial(0) && read == all;
    std::optional<Polynomial> place =
        dropped[d] ? Polynomial(0) : getIndex(kept++);
    place = place->times(stride.value_or(1));
    places.push_back(place && stride ? place->plus(start) : std::nullopt);
    bool isOfTable = source.kind == Form::Kind::Tensor && !read.isConstant();
    if (isOfTable && isKnown)
      summary.rows.push_back({read, all.getConstant() - start.getConstant()});
    summary.bound += start.isConstant() ? std::abs(start.getConstant()) : 0;
  }
  if (source.kind == Form::Kind::Tensor) {
    if (!isKnown)
      return isStatic(slice) ? Form::ofTensor() : Form::ofOther(slice);
    summary.bound = 0;
    summary.nature = Nature::Rows;
    return summary.rows.empty() ? Form::ofTensor() : Form::ofSummary(summary);
  }
  if (source.kind == Form::Kind::Mixed) {
    if (isWhole)
      return source;
    if (!isKnown || summary.nature == Nature::Rows)
      return Form::ofOther(slice);
    return Form::ofSummary(summary);
  }
  return rules.substitute(source, [&](unsigned variable) {
    return places[variable - kFirstIndex];
  });
}

Form SizeWalk::moveConcat(tensor::ConcatOp concat) {
  SmallVector<Form> parts;
  for (Value part : concat.getInputs())
    parts.push_back(get(part));
  const Form &first = parts.front();
  bool isNumber = llvm::all_of(parts, [&](const Form &part) {
    return part.kind == Form::Kind::Number && part.number == first.number;
  });
  if (isNumber)
    return first;
  if (llvm::any_of(parts, [](const Form &part) { return part.isData(); })) {
    for (const Form &part : parts)
      use(part, concat);
    return {};
  }
  if (llvm::all_of(parts, isFixed) && isStatic(concat))
    return Form::ofTensor();
  auto type = cast<RankedTensorType>(concat.getType());
  if (type.isDynamicDim(concat.getDim()))
    return Form::ofOther(concat);
  // A concatenation has the kinks of each of its parts.
  Summary joined;
  for (const Form &part : parts) {
    Summary own = settle(part);
    joined.nature = std::max(joined.nature, own.nature);
    joined.bound = std::max(joined.bound, own.bound);
    joined.shifts |= own.shifts;
    joined.rows.append(own.rows);
    joined.change = std::max(joined.change, own.change);
    joined.origin = joined.origin ? joined.origin : own.origin;
  }
  if (joined.nature <= Nature::Affine)
    joined.nature = Nature::Scaled;
  return Form::ofSummary(joined);
}

/// The one dimension of more than one element, if there is just one.
static std::optional<unsigned> findOnly(RankedTensorType type) {
  std::optional<unsigned> only;
  for (unsigned d = 0, e = type.getRank(); d < e; ++d)
    if (type.getDimSize(d) != 1) {
      if (only)
        return std::nullopt;
      only = d;
    }
  return only;
}

Form SizeWalk::moveReshape(Operation *op, const Form &source) {
  Value from = op->getOperand(0), to = op->getResult(0);
  auto fromType = dyn_cast<RankedTensorType>(from.getType());
  auto toType = dyn_cast<RankedTensorType>(to.getType());
  if (!fromType || !toType)
    return isFixed(source) ? source : Form::ofOther(op);
  SmallVector<std::optional<Polynomial>> places(fromType.getRank());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices())) {
      std::optional<Polynomial> place = Polynomial(0), inner = Polynomial(1);
      for (int64_t k : llvm::reverse(group)) {
        const Polynomial &size = getSize(to, k);
        std::optional<Polynomial> own =
            inner ? getIndex(k).times(*inner) : std::nullopt;
        if (!(size == Polynomial(1)))
          place = place && own ? place->plus(*own) : std::nullopt;
        inner = inner ? inner->times(size) : std::nullopt;
      }
      places[d] = place;
    }
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [d, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      unsigned large = llvm::count_if(
          group, [&](int64_t k) { return fromType.getDimSize(k) != 1; });
      for (int64_t k : group) {
        bool isOne = fromType.getDimSize(k) == 1;
        if (isOne || large == 1)
          places[k] = isOne ? Polynomial(0) : getIndex(d);
      }
    }
  } else if (std::optional<unsigned> one = findOnly(fromType)) {
    std::optional<unsigned> other = findOnly(toType);
    for (unsigned d = 0; d < places.size(); ++d)
      if (d != *one || other)
        places[d] = d == *one ? getIndex(*other) : Polynomial(0);
  }
  return rules.substitute(source, [&](unsigned variable) {
    return places[variable - kFirstIndex];
  });
}

/// An element at places that are known, or that data choose.
Form SizeWalk::readElement(tensor::ExtractOp extracted, const Loops &loops) {
  Form table = get(extracted.getTensor());
  SmallVector<Form> indices;
  bool hasData = table.isData();
  for (Value index : extracted.getIndices()) {
    indices.push_back(get(index));
    hasData |= indices.back().isData();
  }
  if (hasData) {
    use(table, extracted);
    for (const Form &index : indices)
      use(index, extracted);
    return {};
  }
  if (table.kind == Form::Kind::Number || indices.empty())
    return table;
  auto type = cast<RankedTensorType>(extracted.getTensor().getType());
  Summary summary = settle(table);
  SmallVector<std::optional<Polynomial>> places;
  bool isInOrder = true;
  for (auto [d, index] : llvm::enumerate(indices)) {
    std::optional<Polynomial> place = getExact(index);
    places.push_back(place);
    if (place && place->isConstant()) {
      isInOrder &= table.kind == Form::Kind::Tensor;
      continue;
    }
    // Indices along one loop, from a number on.
    const auto *last = place ? &*place->getTerms().rbegin() : nullptr;
    bool isLoop =
        last && place->isLinear() && !place->hasSizes() && last->second == 1 &&
        place->minus(Polynomial::variable(last->first[0]))->isConstant() &&
        place->getConstant() >= 0;
    unsigned loop = isLoop ? last->first[0] - kFirstIndex : loops.size();
    if (loop >= loops.size() || !loops[loop]) {
      isInOrder = false;
      continue;
    }
    isInOrder &= table.kind == Form::Kind::Tensor || place->getConstant() == 0;
    if (table.kind == Form::Kind::Tensor && !loops[loop]->isConstant())
      summary.rows.push_back(
          {*loops[loop], type.getDimSize(d) - place->getConstant()});
  }
  if (table.kind == Form::Kind::Line || table.kind == Form::Kind::Table)
    return rules.substitute(table, [&](unsigned variable) {
      return places[variable - kFirstIndex];
    });
  if (!isInOrder)
    return Form::ofOther(extracted);
  if (table.kind == Form::Kind::Mixed)
    return table;
  summary.nature = Nature::Rows;
  return summary.rows.empty() ? Form::ofTensor() : Form::ofSummary(summary);
}

void SizeWalk::visitGenerate(tensor::GenerateOp made) {
  Loops loops;
  for (int64_t d = 0; d < made.getType().getRank(); ++d)
    loops.push_back(getSize(made, d));
  Block &body = made.getBody().front();
  for (BlockArgument argument : body.getArguments())
    set(argument, Form::ofLine(getIndex(argument.getArgNumber())));
  visitBody(body, loops);
  set(made, get(body.getTerminator()->getOperand(0)));
}

bool SizeWalk::visitTensor(Operation *op) {
  if (isa<tensor::EmptyOp>(op)) {
    set(op->getResult(0), Form::ofNumber(0));
    return true;
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> d = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    bool isKnown = d && type && *d >= 0 && *d < type.getRank();
    set(dim, isKnown ? Form::ofLine(getSize(dim.getSource(), *d))
                     : Form::ofOther(op));
    return true;
  }
  if (auto made = dyn_cast<tensor::GenerateOp>(op)) {
    visitGenerate(made);
    return true;
  }
  if (auto extracted = dyn_cast<tensor::ExtractOp>(op)) {
    set(extracted, readElement(extracted, loops ? *loops : Loops()));
    return true;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    set(concat, moveConcat(concat));
    return true;
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    if (shape)
      for (Value size : shape.getElements())
        requireExact(size, op);
    else
      use(get(reshape.getShape()), op);
  }
  if (isa<tensor::CastOp, tensor::SplatOp, tensor::ReshapeOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op)) {
    Form source = get(op->getOperand(0));
    if (source.isData())
      return true;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    bool isSame = isa<tensor::CastOp, tensor::SplatOp>(op);
    set(op->getResult(0), slice    ? moveSlice(slice, source)
                          : isSame ? source
                                   : moveReshape(op, source));
    return true;
  }
  if (!isa<tensor::FromElementsOp, tensor::InsertSliceOp, tensor::PadOp>(op))
    return false;
  // Parts of a tensor.
  SmallVector<Form> parts;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value number = pad.getConstantPaddingValue();
    parts = {get(pad.getSource()), number ? get(number) : Form()};
  } else {
    unsigned count = isa<tensor::InsertSliceOp>(op) ? 2 : op->getNumOperands();
    for (Value part : op->getOperands().take_front(count))
      parts.push_back(get(part));
  }
  if (parts.empty())
    return true;
  bool hasData =
      llvm::any_of(parts, [](const Form &part) { return part.isData(); });
  if (hasData) {
    for (const Form &part : parts)
      use(part, op);
    return true;
  }
  bool isOne = parts.size() == 1 || llvm::all_of(parts, [&](const Form &part) {
                 return part.kind == Form::Kind::Number &&
                        part.number == parts.front().number;
               });
  bool isKnown = llvm::all_of(parts, isFixed) && isStatic(op->getResult(0));
  set(op->getResult(0), isOne     ? parts.front()
                        : isKnown ? Form::ofTensor()
                                  : Form::ofOther(op));
  return true;
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static std::optional<Polynomial> toPolynomial(AffineExpr expression) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return getIndex(dim.getPosition());
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return Polynomial(number.getValue());
  auto both = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!both)
    return std::nullopt;
  std::optional<Polynomial> a = toPolynomial(both.getLHS());
  std::optional<Polynomial> b = toPolynomial(both.getRHS());
  if (!a || !b)
    return std::nullopt;
  if (both.getKind() == AffineExprKind::Add)
    return a->plus(*b);
  return both.getKind() == AffineExprKind::Mul ? a->times(*b) : std::nullopt;
}

void SizeWalk::visitBody(Block &block, const Loops &own) {
  const Loops *outer = loops;
  loops = &own;
  for (Operation &inner : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      set(index, Form::ofLine(getIndex(index.getDim())));
    else if (auto branch = dyn_cast<scf::IfOp>(inner))
      visitBranch(branch, own);
    else if (auto assertion = dyn_cast<cf::AssertOp>(inner))
      use(get(assertion.getArg()), assertion);
    else
      visit(&inner);
  }
  loops = outer;
}

void SizeWalk::visitBranch(scf::IfOp branch, const Loops &own) {
  Form condition = get(branch.getCondition());
  SmallVector<SmallVector<Form>> results;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    results.emplace_back(branch.getNumResults());
    bool isThen = region == &branch.getThenRegion();
    bool isTaken = condition.kind != Form::Kind::Number ||
                   (condition.number != 0) == isThen;
    if (region->empty() || !isTaken)
      continue;
    visitBody(region->front(), own);
    for (auto [form, value] : llvm::zip_equal(
             results.back(), region->front().getTerminator()->getOperands()))
      form = get(value);
  }
  for (auto [result, yes, no] :
       llvm::zip_equal(branch.getResults(), results[0], results[1])) {
    if (condition.kind == Form::Kind::Number) {
      set(result, condition.number != 0 ? yes : no);
      continue;
    }
    if (condition.isData() || yes.isData() || no.isData())
      for (const Form &form : {condition, yes, no})
        use(form, branch);
    else
      set(result, rules.select(branch, condition, yes, no));
  }
}

/// Counts the iterations of a loop up to the one at which a function of the
/// loop changes from 1 to 0, like a row of a causal mask.
std::optional<Form> SizeWalk::countOnes(const Form &form, unsigned loop) {
  const std::optional<Polynomial> &extent = (*loops)[loop];
  Polynomial variable = getIndex(loop);
  if (form.kind != Form::Kind::Table || !extent)
    return std::nullopt;
  int64_t factor = form.line.getFactor({kFirstIndex + loop});
  const Table &table = *form.table;
  bool rises = factor == 1;
  double first = rises ? 1 : 0;
  auto isStep = [&](double number) { return number == 0 || number == 1; };
  auto bend = llvm::find_if(table.numbers,
                            [&](double number) { return number != first; });
  bool isOne = std::abs(factor) == 1 && table.below == End::Flat &&
               table.beyond == End::Flat && table.numbers.front() == first &&
               llvm::all_of(table.numbers, isStep) &&
               std::all_of(bend, table.numbers.end(),
                           [&](double number) { return number != first; });
  if (!isOne)
    return std::nullopt;
  // The number of the line from which on it is another.
  int64_t at = table.low + (bend - table.numbers.begin());
  std::optional<Polynomial> rest = form.line.minus(*variable.times(factor));
  std::optional<Polynomial> count = rest ? rest->times(-factor) : rest;
  // Turns below `at - rest`, or up to `rest - at`.
  count = count ? count->plus(rises ? at : 1 - at) : count;
  auto getExtent = [&](unsigned each) -> std::optional<Polynomial> {
    return (*loops)[each - kFirstIndex];
  };
  std::optional<Polynomial> others = count ? extent->minus(*count) : count;
  std::optional<int64_t> least =
      count ? count->getLeast(getExtent) : std::nullopt;
  std::optional<int64_t> left =
      others ? others->getLeast(getExtent) : std::nullopt;
  bool isInside = least && left && *least >= 0 && *left >= 0;
  return isInside ? std::optional(Form::ofLine(*count)) : std::nullopt;
}

/// Returns the sum of functions, over an equal number of elements at all sizes,
/// or of ones.
Form SizeWalk::reduce(linalg::LinalgOp op, unsigned number) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  Summary summary = settle(get(yielded));
  Operation *last = yielded.getDefiningOp();
  bool isSum = isa_and_nonnull<arith::AddFOp, arith::AddIOp>(last);
  SmallVector<unsigned> open;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind != utils::IteratorType::parallel &&
        !((*loops)[loop] && (*loops)[loop]->isConstant()))
      open.push_back(loop);
  int64_t others = 1;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind != utils::IteratorType::parallel && (*loops)[loop] &&
        (*loops)[loop]->isConstant())
      others *= (*loops)[loop]->getConstant();
  Form init = get(op.getDpsInits()[number]);
  bool isFromZero = init.kind == Form::Kind::Number && init.number == 0;
  if (isSum && open.size() == 1 && others == 1 && isFromZero)
    for (Value operand : last->getOperands())
      if (std::optional<Form> count = countOnes(get(operand), open.front()))
        return *count;
  if (!isSum || !open.empty() || summary.nature > Nature::Scaled)
    return Form::ofOther(op);
  summary.nature = Nature::Scaled;
  return Form::ofSummary(summary);
}

void SizeWalk::visitLinalg(linalg::LinalgOp op) {
  Loops own(op.getNumLoops());
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [d, place] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(place))
        if (!own[dim.getPosition()])
          own[dim.getPosition()] = getSize(operand.get(), d);
    Form form = get(operand.get());
    if (form.isData())
      continue;
    set(body->getArgument(operand.getOperandNumber()),
        rules.substitute(form, [&](unsigned variable) {
          return ::toPolynomial(map.getResult(variable - kFirstIndex));
        }));
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  bool reduces = llvm::any_of(llvm::zip_equal(kinds, own), [](auto each) {
    auto [kind, loop] = each;
    return kind == utils::IteratorType::reduction &&
           !(loop && *loop == Polynomial(1));
  });
  visitBody(*body, own);
  const Loops *outer = loops;
  loops = &own;
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    Value yielded = body->getTerminator()->getOperand(number);
    Form form = get(yielded);
    if (form.isData())
      continue;
    if (reduces)
      form = reduce(op, number);
    AffineMap map = op.getIndexingMapMatchingResult(cast<OpResult>(result));
    set(result, rules.substitute(form, [&](unsigned variable) {
      std::optional<unsigned> place = map.getResultPosition(
          getAffineDimExpr(variable - kFirstIndex, op->getContext()));
      return place ? std::optional(getIndex(*place)) : std::nullopt;
    }));
  }
  loops = outer;
}
