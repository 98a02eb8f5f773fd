//===- SizeTables.cpp - functions of one number ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function of one number, which is affine in indices and sizes, is
// represented by a table of its values, with an extrapolation rule at either
// end.
//
//===----------------------------------------------------------------------===//

#include "SizeForms.h"

#include "SizeNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace parablock::raise;

SmallVector<int64_t> parablock::raise::findBends(const Table &table) {
  SmallVector<int64_t> bends;
  const std::vector<double> &n = table.numbers;
  for (size_t k = 1; k + 1 < n.size(); ++k) {
    bool isSame = n[k - 1] == n[k] && n[k] == n[k + 1];
    double step = n[k + 1] - 2 * n[k] + n[k - 1];
    double size = std::fabs(n[k - 1]) + std::fabs(n[k]) + std::fabs(n[k + 1]);
    if (!isSame && !(std::fabs(step) <= 1e-12 * size))
      bends.push_back(table.low + static_cast<int64_t>(k));
  }
  return bends;
}

bool parablock::raise::continues(End end) {
  return end == End::Whole || end == End::Flat || end == End::Affine;
}

/// Returns where the numbers of a line begin.
static int64_t getLow(const Polynomial &line) {
  std::optional<int64_t> least =
      line.getLeast([](unsigned) { return std::nullopt; });
  return least ? std::max(*least, -kReach) : -kReach;
}

std::shared_ptr<const Table> FormRules::makeAffine(int64_t low, int64_t factor,
                                                   int64_t offset) {
  auto &kept =
      tables[{0, static_cast<uint64_t>(low), static_cast<uint64_t>(factor),
              static_cast<uint64_t>(offset)}];
  if (kept)
    return kept;
  auto table = std::make_shared<Table>();
  table->low = low;
  for (int64_t n = low; n < kReach; ++n)
    table->numbers.push_back(static_cast<double>(factor) *
                                 static_cast<double>(n) +
                             static_cast<double>(offset));
  table->below = low > -kReach ? End::Whole : End::Affine;
  table->beyond = End::Affine;
  return kept = table;
}

/// A line as a function of the same without its offset and common factor.
Form FormRules::toTable(const Form &form) {
  if (form.kind != Form::Kind::Line || !form.line.isLinear())
    return form;
  int64_t factor = 0;
  for (const auto &[monomial, own] : form.line.getTerms())
    if (!monomial.empty())
      factor = std::gcd(factor, own);
  // The last variable has a positive factor.
  if (form.line.getTerms().rbegin()->second < 0)
    factor = -factor;
  Form made;
  made.kind = Form::Kind::Table;
  std::optional<Polynomial> moved = form.line.minus(form.line.getConstant());
  std::optional<Polynomial> line =
      factor == 0 || !moved ? std::nullopt : moved->dividedBy(factor);
  if (factor == -1)
    line = moved->times(-1);
  if (!line)
    return form;
  made.line = *line;
  made.table = makeAffine(getLow(made.line), factor, form.line.getConstant());
  return made;
}

static double getStep(ArrayRef<double> numbers, bool isHigh) {
  size_t last = numbers.size() - 1;
  if (last == 0)
    return 0;
  return isHigh ? numbers[last] - numbers[last - 1] : numbers[0] - numbers[1];
}

namespace {
/// An operand at an end of tables: its last number, the step to it, and its
/// extrapolation.
struct Ending {
  End end;
  double number, step;
};
} // namespace

/// True where `a - b` has the same sign beyond an end as at it.
static bool keepsSign(const Ending &a, const Ending &b) {
  auto isSteady = [](End end) {
    return end == End::Flat || end == End::Affine;
  };
  auto isFar = [](const Ending &each) {
    return each.end == End::Flat && std::fabs(each.number) >= kFarNumber;
  };
  if (isFar(a) || isFar(b))
    return true;
  double apart = a.number - b.number, step = a.step - b.step;
  if (isSteady(a.end) && isSteady(b.end))
    return apart == 0 ? step == 0 : (apart > 0 ? step >= 0 : step <= 0);
  if (b.end == End::Flat)
    return (a.end == End::Rising && apart > 0) ||
           (a.end == End::Falling && apart < 0);
  if (a.end == End::Flat)
    return (b.end == End::Rising && apart < 0) ||
           (b.end == End::Falling && apart > 0);
  return false;
}

static End turn(End end) {
  if (end == End::Rising)
    return End::Falling;
  return end == End::Falling ? End::Rising : end;
}

/// Returns the extrapolation of a sum: that of its parts if they agree.
static End addEnds(End a, End b) {
  if (a == End::Flat)
    return b;
  if (b == End::Flat || a == b)
    return a;
  return End::Unknown;
}

/// True of ops that round to whole numbers.
static bool keepsWholes(Operation *op) {
  return isa<arith::FPToSIOp, arith::FPToUIOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp>(op);
}

/// Returns the extrapolation of the result of an op beyond its operands'
/// tables.
static End deriveEnd(Operation *op, OpClass kind, ArrayRef<Ending> given) {
  if (llvm::any_of(given, [](const Ending &e) { return e.end == End::Whole; }))
    return End::Whole;
  if (llvm::all_of(given, [](const Ending &e) { return e.end == End::Flat; }))
    return End::Flat;
  const Ending &a = given.front(), &b = given.back();
  switch (kind) {
  case OpClass::Keep:
    return a.end;
  case OpClass::Negate:
    return turn(a.end);
  case OpClass::Add:
    return addEnds(a.end, b.end);
  case OpClass::Subtract:
    return addEnds(a.end, turn(b.end));
  case OpClass::Multiply:
  case OpClass::Divide: {
    bool isFirst = a.end == End::Flat && kind == OpClass::Multiply;
    const Ending &factor = isFirst ? a : b, &other = isFirst ? b : a;
    if (factor.end != End::Flat)
      return End::Unknown;
    return factor.number < 0 ? turn(other.end) : other.end;
  }
  case OpClass::Compare:
    return keepsSign(a, b) ? End::Flat : End::Unknown;
  case OpClass::Extreme: {
    if (!keepsSign(a, b))
      return End::Unknown;
    bool isLess = isMinimum(op) ? a.number <= b.number : a.number >= b.number;
    return isLess ? a.end : b.end;
  }
  case OpClass::Absolute:
    if (!keepsSign(a, {End::Flat, 0, 0}))
      return End::Unknown;
    return a.number < 0 ? turn(a.end) : a.end;
  case OpClass::Select:
    if (a.end != End::Flat)
      return End::Unknown;
    return a.number != 0 ? given[1].end : given[2].end;
  case OpClass::Monotone:
    if (given.size() > 1 && (b.end != End::Flat || b.number <= 0))
      return End::Unknown;
    if (a.end == End::Affine)
      return a.step > 0 ? End::Rising : End::Falling;
    return a.end;
  case OpClass::Other:
  case OpClass::Wave:
    return End::Unknown;
  }
  return End::Unknown;
}

std::optional<Form> FormRules::applyToTables(Operation *op,
                                             ArrayRef<Form> given) {
  std::optional<NumberOp> function = getNumberOp(op);
  SmallVector<Form> operands;
  Form made;
  made.kind = Form::Kind::Table;
  Key key = {
      reinterpret_cast<uint64_t>(op->getName().getAsOpaquePointer()),
      reinterpret_cast<uint64_t>(op->getAttrDictionary().getAsOpaquePointer()),
      reinterpret_cast<uint64_t>(
          getElementTypeOrSelf(op->getResult(0)).getAsOpaquePointer()),
      reinterpret_cast<uint64_t>(
          getElementTypeOrSelf(op->getOperand(0)).getAsOpaquePointer())};
  for (const Form &form : given) {
    operands.push_back(toTable(form));
    const Form &own = operands.back();
    if (own.kind == Form::Kind::Number) {
      key.push_back(llvm::bit_cast<uint64_t>(own.number));
      key.push_back(0);
      continue;
    }
    if (own.kind != Form::Kind::Table ||
        (made.table && !(made.line == own.line)))
      return std::nullopt;
    made.line = own.line;
    made.table = own.table;
    made.origin = made.origin ? made.origin : own.origin;
    key.push_back(reinterpret_cast<uint64_t>(own.table.get()));
    key.push_back(1);
  }
  if (!function || !made.table)
    return std::nullopt;
  auto finish = [&](std::shared_ptr<const Table> table) {
    made.table = std::move(table);
    bool bends = !continues(made.table->below) ||
                 !continues(made.table->beyond) ||
                 !findBends(*made.table).empty();
    if (bends && !made.origin)
      made.origin = op;
    return made;
  };
  auto &kept = tables[key];
  if (kept)
    return finish(kept);
  auto table = std::make_shared<Table>();
  table->low = made.table->low;
  SmallVector<double> numbers(operands.size());
  bool rounds = false;
  for (size_t k = 0, e = made.table->numbers.size(); k < e; ++k) {
    for (auto [number, operand] : llvm::zip_equal(numbers, operands))
      number = operand.kind == Form::Kind::Number ? operand.number
                                                  : operand.table->numbers[k];
    double exact = function->compute(numbers);
    double rounded = roundToNarrow(exact, op->getResult(0).getType());
    rounds |= exact != rounded && !std::isnan(exact);
    table->numbers.push_back(rounded);
  }
  for (bool isHigh : {false, true}) {
    SmallVector<Ending> endings;
    for (const Form &operand : operands) {
      if (operand.kind == Form::Kind::Number) {
        endings.push_back({End::Flat, operand.number, 0});
        continue;
      }
      const Table &own = *operand.table;
      endings.push_back({isHigh ? own.beyond : own.below,
                         isHigh ? own.numbers.back() : own.numbers.front(),
                         getStep(own.numbers, isHigh)});
    }
    End end = deriveEnd(op, function->kind, endings);
    if (rounds && end != End::Flat && end != End::Whole)
      end = End::Unknown;
    if (keepsWholes(op) && table->numbers == made.table->numbers)
      end = endings.front().end;
    if (end == End::Affine && getStep(table->numbers, isHigh) == 0)
      end = End::Flat;
    (isHigh ? table->beyond : table->below) = end;
  }
  kept = table;
  return finish(kept);
}

/// A comparison of two lines is one of their difference with 0.
std::optional<Form> FormRules::applyToDifference(Operation *op,
                                                 ArrayRef<Form> given) {
  if (!isa<arith::CmpIOp, arith::CmpFOp>(op))
    return std::nullopt;
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (cmp && cmp.getPredicate() >= arith::CmpIPredicate::ult)
    return std::nullopt;
  std::optional<Polynomial> a = getExact(given[0]), b = getExact(given[1]);
  std::optional<Polynomial> apart = a && b ? a->minus(*b) : std::nullopt;
  if (!apart || !apart->isLinear())
    return std::nullopt;
  return applyToTables(op, {Form::ofLine(*apart), Form::ofNumber(0)});
}

//===----------------------------------------------------------------------===//
// Exact rules
//===----------------------------------------------------------------------===//

/// Returns whether `a - b` is at least 0 for all sizes.
static bool isAtLeast(const Polynomial &a, const Polynomial &b,
                      FormRules::Extents extents) {
  std::optional<Polynomial> apart = a.minus(b);
  std::optional<int64_t> least =
      apart ? apart->getLeast(extents) : std::nullopt;
  return least && *least >= 0;
}

/// Returns the result of the comparison of `a` and `b` by `op` if it is the
/// same for all sizes.
static std::optional<Form>
compareExactly(Operation *op, const NumberOp &function, const Polynomial &a,
               const Polynomial &b, FormRules::Extents extents) {
  std::optional<Polynomial> after = b.plus(1), before = b.minus(1);
  bool isAbove = isAtLeast(a, b, extents), isBelow = isAtLeast(b, a, extents);
  double side;
  if (a == b) {
    side = 0;
  } else if (after && isAtLeast(a, *after, extents)) {
    side = 1;
  } else if (before && isAtLeast(*before, a, extents)) {
    side = -1;
  } else if (isAbove || isBelow) {
    // Both sides that are left may give the same.
    double here = function.compute({0, 0});
    return function.compute({isAbove ? 1. : -1., 0}) == here
               ? std::optional(Form::ofNumber(here))
               : std::nullopt;
  } else {
    return std::nullopt;
  }
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (cmp && cmp.getPredicate() >= arith::CmpIPredicate::ult &&
      !(isAtLeast(a, 0, extents) && isAtLeast(b, 0, extents)))
    return std::nullopt;
  return Form::ofNumber(function.compute({side, 0}));
}

std::optional<Form> FormRules::applyExactly(Operation *op, ArrayRef<Form> given,
                                            Extents extents) {
  std::optional<NumberOp> function = getNumberOp(op);
  if (!function || isNarrowFloat(op->getResult(0).getType()))
    return std::nullopt;
  if (function->kind == OpClass::Select)
    return std::nullopt;
  SmallVector<Polynomial> exact;
  for (const Form &form : given) {
    std::optional<Polynomial> own = getExact(form);
    if (!own)
      return std::nullopt;
    exact.push_back(*own);
  }
  auto make = [](std::optional<Polynomial> line) -> std::optional<Form> {
    return line ? std::optional(Form::ofLine(*line)) : std::nullopt;
  };
  const Polynomial &a = exact.front(), &b = exact.back();
  switch (function->kind) {
  case OpClass::Keep:
    return make(a);
  case OpClass::Negate:
    return make(a.times(-1));
  case OpClass::Add:
    return make(a.plus(b));
  case OpClass::Subtract:
    return make(a.minus(b));
  case OpClass::Multiply:
    return make(a.times(b));
  case OpClass::Divide:
    return make(a.dividedBy(b));
  case OpClass::Monotone:
    if (keepsWholes(op))
      return make(a);
    return given.size() == 2 ? make(a.dividedBy(b)) : std::nullopt;
  case OpClass::Extreme:
    if (isAtLeast(a, b, extents))
      return make(isMinimum(op) ? b : a);
    if (isAtLeast(b, a, extents))
      return make(isMinimum(op) ? a : b);
    return std::nullopt;
  case OpClass::Absolute:
    return isAtLeast(a, 0, extents) ? make(a) : std::nullopt;
  case OpClass::Compare:
    return compareExactly(op, *function, a, b, extents);
  default:
    return std::nullopt;
  }
}
