//===- SizeForms.cpp - combines forms of elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SizeForms.h"

#include "SizeNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace parablock::raise;

/// Whole numbers that doubles hold.
static constexpr double kExact = 9007199254740992.0;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Form Form::ofNumber(double number) {
  Form form;
  form.kind = Kind::Number;
  form.number = number;
  return form;
}

Form Form::ofLine(const Polynomial &line) {
  if (line.isConstant())
    return ofNumber(static_cast<double>(line.getConstant()));
  Form form;
  form.kind = Kind::Line;
  form.line = line;
  return form;
}

Form Form::ofTensor() {
  Form form;
  form.kind = Kind::Tensor;
  return form;
}

Form Form::ofSummary(Summary summary) {
  Form form;
  form.kind = Kind::Mixed;
  form.summary = std::move(summary);
  return form;
}

Form Form::ofOther(Operation *origin) {
  Summary summary;
  summary.nature = Nature::Other;
  summary.shifts = true;
  summary.origin = origin;
  return ofSummary(summary);
}

std::optional<Polynomial> parablock::raise::getExact(const Form &form) {
  if (form.kind == Form::Kind::Line)
    return form.line;
  if (form.kind == Form::Kind::Number && std::fabs(form.number) < kExact &&
      form.number == std::trunc(form.number))
    return Polynomial(static_cast<int64_t>(form.number));
  return std::nullopt;
}

static bool isFlatAt(const Table &table, End end, bool isHigh) {
  size_t last = table.numbers.size() - 1;
  return end == End::Flat || last == 0 ||
         (isHigh ? table.numbers[last] == table.numbers[last - 1]
                 : table.numbers[0] == table.numbers[1]);
}

static Summary settleTable(const Form &form) {
  const Table &table = *form.table;
  Summary summary;
  summary.shifts = form.line.hasSizes();
  summary.origin = form.origin;
  SmallVector<int64_t> bends = findBends(table);
  bool isOfSizes = summary.shifts && !form.line.hasIndices();
  auto magnitude = [](int64_t number) { return std::abs(number); };
  if (!bends.empty()) {
    auto [least, most] = std::minmax_element(
        bends.begin(), bends.end(),
        [&](int64_t a, int64_t b) { return magnitude(a) < magnitude(b); });
    summary.change = static_cast<double>(magnitude(*least)) + 1;
    summary.bound = static_cast<double>(magnitude(*most)) + 1;
  }
  bool endsByRule = continues(table.below) && continues(table.beyond);
  if (!endsByRule && summary.change == 0)
    summary.change = kReach;
  if (!endsByRule || summary.bound >= kReach - 1 ||
      (isOfSizes && !bends.empty())) {
    summary.nature = Nature::Other;
    return summary;
  }
  summary.change = 0;
  bool isFlat = isFlatAt(table, table.below, /*isHigh=*/false) &&
                isFlatAt(table, table.beyond, /*isHigh=*/true);
  summary.nature = isFlat ? Nature::Flat : Nature::Affine;
  return summary;
}

Summary parablock::raise::settle(const Form &form) {
  Summary summary;
  switch (form.kind) {
  case Form::Kind::Data:
  case Form::Kind::Number:
    return summary;
  case Form::Kind::Tensor:
    summary.nature = Nature::Scaled;
    return summary;
  case Form::Kind::Line:
    summary.nature = form.line.isLinear() || !form.line.hasIndices()
                         ? Nature::Affine
                         : Nature::Other;
    summary.shifts = form.line.hasSizes();
    return summary;
  case Form::Kind::Table:
    return settleTable(form);
  case Form::Kind::Mixed:
    return form.summary;
  }
  return summary;
}

/// Returns the distance from 0 at which a function bends when combined with
/// others.
static double measure(const Form &form) {
  auto getNear = [](double number) {
    return std::fabs(number) < kFarNumber ? std::fabs(number) : 0;
  };
  if (form.kind == Form::Kind::Number)
    return getNear(form.number);
  if (form.kind == Form::Kind::Line)
    return getNear(static_cast<double>(form.line.getConstant()));
  double bound = settle(form).bound;
  if (form.kind != Form::Kind::Table)
    return bound;
  const std::vector<double> &n = form.table->numbers;
  size_t last = n.size() - 1;
  auto look = [&](size_t at, size_t beside, int64_t place) {
    double slope = (n[at] - n[beside]) * (at > beside ? 1 : -1);
    double number =
        slope == 0 ? n[at] : n[at] / slope - static_cast<double>(place);
    bound = std::max(bound, getNear(number));
  };
  if (last > 0) {
    look(0, 1, form.table->low);
    look(last, last - 1, form.table->getHigh());
  }
  return bound;
}

/// Returns the summary of several forms together; bounds add where lines cross.
static Summary join(ArrayRef<Form> forms, Nature nature) {
  Summary joined;
  joined.nature = nature;
  for (const Form &form : forms) {
    Summary each = settle(form);
    joined.bound += each.bound;
    joined.shifts |= each.shifts;
    joined.rows.append(each.rows);
    if (each.change != 0 && (joined.change == 0 || each.change < joined.change))
      joined.change = each.change;
    bool isWorse = each.nature == Nature::Other;
    if (each.origin && (!joined.origin || isWorse))
      joined.origin = each.origin;
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// Functions of several numbers
//===----------------------------------------------------------------------===//

static Nature addNatures(ArrayRef<Form> parts) {
  Nature most = Nature::Flat;
  bool hasWaves = false, hasAffine = false;
  for (const Form &part : parts) {
    Nature own = settle(part).nature;
    hasWaves |= own == Nature::Waves;
    hasAffine |= own == Nature::Affine;
    most = std::max(most, own);
  }
  return hasWaves && hasAffine ? Nature::Other : most;
}

/// The op on functions of several numbers, and on tensors.
static Form mix(Operation *op, OpClass kind, ArrayRef<Form> given) {
  auto make = [&](Nature nature) {
    Summary joined = join(given, nature);
    if (nature == Nature::Other) {
      joined.origin = joined.origin ? joined.origin : op;
      joined.shifts = true;
    }
    return Form::ofSummary(joined);
  };
  auto meet = [&](Nature nature) {
    Summary joined = join(given, nature);
    joined.origin = joined.origin ? joined.origin : op;
    joined.bound = 0;
    for (const Form &form : given)
      joined.bound += measure(form);
    return Form::ofSummary(joined);
  };
  bool hasTensors = false, hasRows = false;
  Nature most = Nature::Flat;
  unsigned numMoving = 0;
  for (const Form &form : given) {
    Summary each = settle(form);
    if (each.nature == Nature::Other)
      return make(Nature::Other);
    hasRows |= each.nature == Nature::Rows;
    hasTensors |= form.kind == Form::Kind::Tensor;
    most = std::max(most, each.nature);
    numMoving += form.kind != Form::Kind::Number && each.nature != Nature::Flat;
  }
  if (llvm::all_of(given, [](const Form &form) {
        return form.kind == Form::Kind::Tensor ||
               form.kind == Form::Kind::Number;
      }))
    return Form::ofTensor();
  if (hasRows) {
    Summary joined = join(given, Nature::Rows);
    return joined.shifts ? make(Nature::Other) : Form::ofSummary(joined);
  }
  if (most == Nature::Flat)
    return make(Nature::Flat);
  switch (kind) {
  case OpClass::Keep:
  case OpClass::Negate:
    return make(most);
  case OpClass::Add:
  case OpClass::Subtract: {
    Nature nature = addNatures(given);
    return nature == Nature::Affine ? meet(nature) : make(nature);
  }
  case OpClass::Multiply:
  case OpClass::Divide:
    if (kind == OpClass::Divide && settle(given.back()).nature > Nature::Flat &&
        given.back().kind != Form::Kind::Tensor) {
      // A quotient of affine functions is known by as many numbers as these
      // are.
      Summary joined = join(given, Nature::Scaled);
      return most == Nature::Affine && !joined.shifts ? meet(Nature::Scaled)
                                                      : make(Nature::Other);
    }
    if (numMoving == 1)
      return make(most);
    // A tensor is a factor for each element.
    if (numMoving == 2 && hasTensors && most <= Nature::Scaled)
      return make(Nature::Scaled);
    return make(Nature::Other);
  case OpClass::Compare:
  case OpClass::Extreme:
    if (most != Nature::Affine)
      return make(Nature::Other);
    return meet(kind == OpClass::Compare ? Nature::Flat : Nature::Affine);
  case OpClass::Absolute:
    return most == Nature::Affine ? meet(most) : make(Nature::Other);
  case OpClass::Select:
    if (settle(given[0]).nature != Nature::Flat)
      return make(Nature::Other);
    return make(addNatures(given.drop_front()));
  case OpClass::Wave: {
    Summary joined = join(given, Nature::Waves);
    if (most == Nature::Waves || joined.bound != 0)
      return make(Nature::Other);
    return Form::ofSummary(joined);
  }
  case OpClass::Monotone:
  case OpClass::Other:
    return make(Nature::Other);
  }
  return make(Nature::Other);
}

/// True of a function of indices alone that all run to numbers.
static bool isOfNumbers(const Form &form, FormRules::Extents extents) {
  if (form.kind != Form::Kind::Line && form.kind != Form::Kind::Table)
    return false;
  return llvm::all_of(form.line.getTerms(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](unsigned variable) {
      std::optional<Polynomial> extent =
          variable < kFirstIndex ? std::nullopt : extents(variable);
      return extent && extent->isConstant();
    });
  });
}

Form FormRules::apply(Operation *op, ArrayRef<Form> given, Extents extents) {
  Form made = applyOnce(op, given, extents);
  if (settle(made).nature != Nature::Other)
    return made;
  // Forms that do not depend on sizes need no rule.
  SmallVector<Form> fixed(given);
  bool any = false;
  for (Form &form : fixed)
    if (isOfNumbers(form, extents)) {
      form = Form::ofTensor();
      any = true;
    }
  return any ? applyOnce(op, fixed, extents) : made;
}

Form FormRules::applyOnce(Operation *op, ArrayRef<Form> given,
                          Extents extents) {
  std::optional<NumberOp> function = getNumberOp(op);
  bool areNumbers = llvm::all_of(
      given, [](const Form &f) { return f.kind == Form::Kind::Number; });
  if (function && areNumbers) {
    SmallVector<double> numbers;
    for (const Form &form : given)
      numbers.push_back(form.number);
    return Form::ofNumber(
        roundToNarrow(function->compute(numbers), op->getResult(0).getType()));
  }
  if (!function)
    return llvm::all_of(given,
                        [](const Form &f) {
                          return f.kind == Form::Kind::Tensor ||
                                 f.kind == Form::Kind::Number;
                        })
               ? Form::ofTensor()
               : Form::ofOther(op);
  if (function->kind == OpClass::Select)
    return select(op, given[0], given[1], given[2]);
  // A value selected by a truth value.
  if (isa<arith::AndIOp, arith::OrIOp>(op) &&
      getElementTypeOrSelf(op->getResult(0)).isInteger(1))
    for (unsigned k : {0, 1})
      if (given[k].kind == Form::Kind::Number)
        return (given[k].number != 0) == isa<arith::AndIOp>(op) ? given[1 - k]
                                                                : given[k];
  if (std::optional<Form> exact = applyExactly(op, given, extents))
    return *exact;
  // A sine of positions is known as such.
  std::optional<Form> made;
  if (function->kind != OpClass::Wave) {
    made = applyToTables(op, given);
    if (!made)
      made = applyToDifference(op, given);
  }
  if (!made)
    return mix(op, function->kind, given);
  const std::vector<double> &n = made->table->numbers;
  bool isOne = continues(made->table->below) &&
               continues(made->table->beyond) && llvm::all_equal(n);
  return isOne ? Form::ofNumber(n.front()) : *made;
}

Form FormRules::select(Operation *op, const Form &condition, const Form &yes,
                       const Form &no) {
  if (condition.kind == Form::Kind::Number)
    return condition.number != 0 ? yes : no;
  std::optional<Polynomial> a = getExact(yes), b = getExact(no);
  if (a && b && *a == *b)
    return yes;
  if (!isa<arith::SelectOp>(op))
    return mix(op, OpClass::Select, {condition, yes, no});
  std::optional<Form> made = applyToTables(op, {condition, yes, no});
  return made ? *made : mix(op, OpClass::Select, {condition, yes, no});
}

Form FormRules::substitute(
    const Form &form,
    function_ref<std::optional<Polynomial>(unsigned)> replacement) {
  if (form.kind != Form::Kind::Line && form.kind != Form::Kind::Table)
    return form;
  auto withSizes = [&](unsigned variable) -> std::optional<Polynomial> {
    return variable < kFirstIndex ? Polynomial::variable(variable)
                                  : replacement(variable);
  };
  std::optional<Polynomial> line = form.line.replace(withSizes);
  if (form.kind == Form::Kind::Line)
    return line ? Form::ofLine(*line) : Form::ofSummary(settle(form));
  Form moved = line && line->isLinear() ? toTable(Form::ofLine(*line)) : Form();
  if (moved.kind == Form::Kind::Number) {
    double place = moved.number - static_cast<double>(form.table->low);
    bool isInside =
        place >= 0 && place < static_cast<double>(form.table->numbers.size());
    return isInside
               ? Form::ofNumber(form.table->numbers[static_cast<size_t>(place)])
               : Form::ofSummary(settle(form));
  }
  // Only the same number, in other variables, has the same table.
  bool isSame = moved.kind == Form::Kind::Table &&
                moved.table == makeAffine(form.table->low, 1, 0);
  if (!isSame) {
    Summary summary = settle(form);
    if (line && (line->isConstant() || !line->isLinear()))
      return Form::ofSummary(summary);
    summary.bound += line ? std::abs(line->getConstant()) : 0;
    summary.shifts |= line && line->hasSizes();
    return Form::ofSummary(summary);
  }
  moved.table = form.table;
  moved.origin = form.origin;
  return moved;
}
