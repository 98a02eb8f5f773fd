//===- RopeTables.cpp - computes tables of cosines and sines --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/RopeTables.h"

#include "parablock/Support/FloatFormats.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

uint64_t parablock::countRopeElements(block::RopeAttr form, int64_t positions) {
  return llvm::SaturatingMultiply<uint64_t>(positions, form.getDim() / 2);
}

RopeTables parablock::makeRopeTables(block::RopeAttr form, int64_t first,
                                     int64_t positions) {
  Type type = form.getTableType();
  auto finish = [&](double value) {
    value *= form.getTableScaleValue();
    if (type && type.isBF16())
      return roundToBF16(value);
    return type && type.isF16() ? roundToF16(value) : value;
  };
  int64_t pairs = form.getDim() / 2;
  std::vector<double> frequencies;
  for (int64_t pair = 0; pair < pairs; ++pair)
    frequencies.push_back(form.getFrequency(pair));
  RopeTables tables;
  for (std::vector<double> *table : {&tables.cosines, &tables.sines})
    table->reserve(positions * pairs);
  for (int64_t position = first; position < first + positions; ++position)
    for (double frequency : frequencies) {
      double angle = static_cast<double>(position) * frequency;
      tables.cosines.push_back(finish(std::cos(angle)));
      tables.sines.push_back(finish(std::sin(angle)));
    }
  return tables;
}
