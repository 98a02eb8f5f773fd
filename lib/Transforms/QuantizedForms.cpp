//===- QuantizedForms.cpp - scales and values of codes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/QuantizedForms.h"

#include <algorithm>
#include <cmath>

using namespace parablock;
using namespace parablock::block;

CodeLayout block::getCodeLayout(QuantizedForm form) {
  switch (form) {
  case QuantizedForm::Int8:
    return {CodeForm::Int8, 0};
  case QuantizedForm::Int4G128:
    return {CodeForm::Int4, 128};
  case QuantizedForm::Int4G32:
    return {CodeForm::Int4, 32};
  case QuantizedForm::MxFp4:
    return {CodeForm::MxFp4, 32};
  case QuantizedForm::Fp8:
    return {CodeForm::Fp8, 0};
  }
  llvm_unreachable("unknown form");
}

double block::getLargestNumber(CodeForm form) {
  switch (form) {
  case CodeForm::Int8:
    return 127;
  case CodeForm::Int4:
    return 7;
  case CodeForm::MxFp4:
    return 6;
  case CodeForm::Fp8:
    return 448;
  }
  llvm_unreachable("unknown form");
}

double block::getCodeScale(CodeForm form, double largest) {
  if (form == CodeForm::MxFp4)
    return std::exp2(
        std::clamp(std::ceil(std::log2(largest / 6)), -127.0, 127.0));
  return largest == 0 ? 1
                      : static_cast<float>(largest / getLargestNumber(form));
}

double block::roundToCode(CodeForm form, double value) {
  double largest = getLargestNumber(form);
  value = std::clamp(value, -largest, largest);
  double magnitude = std::fabs(value), step = 1;
  if (form == CodeForm::MxFp4)
    step = magnitude < 2 ? 0.5 : magnitude < 4 ? 1 : 2;
  if (form == CodeForm::Fp8)
    step = std::exp2(std::max(std::floor(std::log2(magnitude)), -6.0) - 3);
  return std::nearbyint(value / step) * step;
}

void block::roundRow(QuantizedForm form, llvm::MutableArrayRef<double> row) {
  CodeLayout layout = getCodeLayout(form);
  size_t group = layout.group ? layout.group : row.size();
  for (size_t first = 0; first < row.size(); first += group) {
    size_t count = std::min(group, row.size() - first);
    llvm::MutableArrayRef<double> own = row.slice(first, count);
    double largest = 0;
    for (double value : own)
      largest = std::max(largest, std::fabs(value));
    double scale = getCodeScale(layout.form, largest);
    for (double &value : own)
      value = scale * roundToCode(layout.form, value / scale);
  }
}

bool block::isOtherCode(double found, double wanted) {
  return std::fabs(found - wanted) > 0.006 * std::fabs(wanted);
}
