//===- BlockAttrs.cpp - parses, prints and verifies attributes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockAttrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <charconv>
#include <cmath>

using namespace mlir;
using namespace parablock::block;

#include "parablock/Dialect/Block/BlockEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "parablock/Dialect/Block/BlockAttrs.cpp.inc"

void BlockDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "parablock/Dialect/Block/BlockAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Real parameters
//===----------------------------------------------------------------------===//

FailureOr<FloatAttr> parablock::block::parseReal(AsmParser &parser) {
  double value;
  if (failed(parser.parseFloat(value)))
    return failure();
  return getReal(parser.getContext(), value);
}

FailureOr<FloatAttr> parablock::block::parseOptionalReal(AsmParser &parser) {
  return parseReal(parser);
}

void parablock::block::printReal(AsmPrinter &printer, FloatAttr value) {
  double number = value.getValueAsDouble();
  if (!std::isfinite(number))
    return printer.printAttributeWithoutType(value);
  char digits[32];
  auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  auto [fraction, exponent] =
      StringRef(digits, end - std::begin(digits)).split('e');
  // The reader takes digits without a point for an integer.
  printer << fraction << (fraction.contains('.') ? "" : ".0");
  if (!exponent.empty())
    printer << 'e' << exponent;
}

void parablock::block::printPlain(AsmPrinter &printer, Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute);
      integer && integer.getType().isSignlessInteger(64)) {
    printer << integer.getInt();
  } else if (auto real = dyn_cast<FloatAttr>(attribute);
             real && real.getType().isF64() &&
             std::isfinite(real.getValueAsDouble())) {
    printReal(printer, real);
  } else if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    printer << '[';
    llvm::interleaveComma(list, printer, [&](Attribute element) {
      printPlain(printer, element);
    });
    printer << ']';
  } else if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    printPlain(printer, dictionary.getValue());
  } else {
    printer.printAttribute(attribute);
  }
}

void parablock::block::printPlain(AsmPrinter &printer,
                                  ArrayRef<NamedAttribute> dictionary) {
  printer << '{';
  llvm::interleaveComma(dictionary, printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName());
    if (isa<UnitAttr>(entry.getValue()))
      return;
    printer << " = ";
    printPlain(printer, entry.getValue());
  });
  printer << '}';
}

FailureOr<DenseF64ArrayAttr>
parablock::block::parseRealList(AsmParser &parser) {
  SmallVector<double> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseFloat(values.emplace_back());
      }))
    return failure();
  return DenseF64ArrayAttr::get(parser.getContext(), values);
}

void parablock::block::printRealList(AsmPrinter &printer,
                                     DenseF64ArrayAttr values) {
  printer << '[';
  llvm::interleaveComma(values.asArrayRef(), printer, [&](double value) {
    printReal(printer, getReal(values.getContext(), value));
  });
  printer << ']';
}

FloatAttr parablock::block::getReal(MLIRContext *context, double value) {
  return FloatAttr::get(Float64Type::get(context), value);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

// [ATTR-1] the epsilon of a norm is finite and not negative.
LogicalResult NormAttr::verify(EmitError emitError, NormKind, FloatAttr eps,
                               EpsForm, GammaForm, NormRounding) {
  double value = eps.getValueAsDouble();
  if (!(value >= 0) || !std::isfinite(value))
    return emitError() << "expected eps to be finite and at least 0, got "
                       << value;
  return success();
}

// [ATTR-2] the rotated width is even and positive;
// [ATTR-3] the frequency list has one entry per pair;
// [ATTR-4] the base is positive; [ATTR-5] the table type is a float type.
LogicalResult RopeAttr::verify(EmitError emitError, RopeStyle, int64_t dim,
                               FloatAttr base, DenseF64ArrayAttr invFreq,
                               FloatAttr, Type tableType) {
  if (dim <= 0 || dim % 2)
    return emitError() << "expected dim to be positive and even, got " << dim;
  if (invFreq && invFreq.size() != dim / 2)
    return emitError() << "expected inv_freq to have " << dim / 2
                       << " entries, got " << invFreq.size();
  if (base && !(base.getValueAsDouble() > 0))
    return emitError() << "expected base to be positive, got "
                       << base.getValueAsDouble();
  if (tableType && !isa<FloatType>(tableType))
    return emitError() << "expected table_type to be a float type, got "
                       << tableType;
  return success();
}

double RopeAttr::getFrequency(int64_t pair) const {
  if (DenseF64ArrayAttr list = getInvFreq())
    return list[pair];
  return std::pow(getBaseValue(), -2.0 * pair / getDim());
}

// [ATTR-6] scale is finite; [ATTR-7] a window is at least 1;
// [ATTR-8] a soft cap is positive; [ATTR-9] ALiBi's maximum is positive;
// [ATTR-12] an ALiBi type is a float type, with ALiBi and causal.
LogicalResult ScoresAttr::verify(EmitError emitError, FloatAttr scale,
                                 bool causal, std::optional<int64_t> window,
                                 FloatAttr softcap, FloatAttr alibiMax,
                                 ScoreOrder, Type alibiType) {
  if (!std::isfinite(scale.getValueAsDouble()))
    return emitError() << "expected scale to be finite, got "
                       << scale.getValueAsDouble();
  if (window && *window < 1)
    return emitError() << "expected window to be at least 1, got " << *window;
  if (softcap && !(softcap.getValueAsDouble() > 0))
    return emitError() << "expected softcap to be positive, got "
                       << softcap.getValueAsDouble();
  if (alibiMax && !(alibiMax.getValueAsDouble() > 0))
    return emitError() << "expected alibi_max to be positive, got "
                       << alibiMax.getValueAsDouble();
  if (alibiType && (!isa<FloatType>(alibiType) || !alibiMax || !causal))
    return emitError() << "expected alibi_type to be a float type beside "
                          "alibi_max and causal, got "
                       << alibiType;
  return success();
}

// [ATTR-10] the last bucket's distance is at least 2.
LogicalResult BucketsAttr::verify(EmitError emitError, int64_t maxDistance,
                                  bool) {
  if (maxDistance < 2)
    return emitError() << "expected max_distance to be at least 2, got "
                       << maxDistance;
  return success();
}

// [ATTR-13] the rate is at least 0 and below 1; the site is not negative.
LogicalResult DropoutAttr::verify(EmitError emitError, FloatAttr rate,
                                  int64_t site) {
  double share = rate.getValueAsDouble();
  if (!(share >= 0 && share < 1))
    return emitError() << "expected rate to be at least 0 and below 1, got "
                       << share;
  if (site < 0)
    return emitError() << "expected site to be at least 0, got " << site;
  return success();
}

static double valueOr(FloatAttr value, double absent) {
  return value ? value.getValueAsDouble() : absent;
}

// [ATTR-14] one expert, one group and one kept group at least, and no more kept
// than groups; [ATTR-15] eps is finite and not negative, and of a division;
// [ATTR-16] scales are finite.
LogicalResult RoutingAttr::verify(EmitError emitError, int64_t chosen,
                                  RouterScore, RouterWeight, WeightSum divideBy,
                                  FloatAttr eps, int64_t groups, int64_t kept,
                                  GroupScore, HiddenGroups,
                                  FloatAttr logitScale, FloatAttr weightScale) {
  if (chosen < 1)
    return emitError() << "expected chosen to be at least 1, got " << chosen;
  if (groups < 1)
    return emitError() << "expected groups to be at least 1, got " << groups;
  if (kept < 1 || kept > groups)
    return emitError() << "expected kept to be at least 1 and at most groups, "
                       << groups << ", got " << kept;
  double floor = valueOr(eps, 0);
  if (!(floor >= 0) || !std::isfinite(floor) ||
      (floor > 0 && divideBy == WeightSum::One))
    return emitError() << "expected eps to be finite and at least 0, and 0 "
                          "where divide_by is one, got "
                       << floor;
  for (auto [name, scale] : {std::pair("logit_scale", logitScale),
                             std::pair("weight_scale", weightScale)})
    if (!std::isfinite(valueOr(scale, 1)))
      return emitError() << "expected " << name << " to be finite, got "
                         << valueOr(scale, 1);
  return success();
}

// [ATTR-17] a limit is positive and finite; [ATTR-18] an offset of up is finite
// and comes with a gate.
LogicalResult ExpertsAttr::verify(EmitError emitError, Activation,
                                  ExpertLayout layout, bool, Weigh,
                                  FloatAttr limit, FloatAttr upOffset) {
  double bound = valueOr(limit, 1);
  if (!(bound > 0) || !std::isfinite(bound))
    return emitError() << "expected limit to be positive and finite, got "
                       << bound;
  double offset = valueOr(upOffset, 0);
  if (!std::isfinite(offset) || (offset != 0 && layout == ExpertLayout::Up))
    return emitError()
           << "expected up_offset to be finite, and a gate for it, got "
           << offset << " with layout " << stringifyExpertLayout(layout);
  return success();
}

// [ATTR-11] the measured error is a number or the string "unmeasured".
LogicalResult ApproxAttr::verify(EmitError emitError, StringRef pass, StringRef,
                                 Attribute measured, ApproxAttr) {
  if (isa_and_present<FloatAttr>(measured))
    return success();
  if (auto text = dyn_cast_if_present<StringAttr>(measured);
      text && text.getValue() == "unmeasured")
    return success();
  return emitError() << "expected measured to be an f64 or \"unmeasured\", got "
                     << measured << " of pass '" << pass << "'";
}
