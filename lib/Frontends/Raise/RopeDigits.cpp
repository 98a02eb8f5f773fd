//===- RopeDigits.cpp - sorts digits of rotation tables -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RopeDigits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

std::optional<TableDigits>
parablock::raise::findTableDigits(ArrayRef<Layout> layouts, bool isInterleaved,
                                  size_t end) {
  std::optional<Aligned> aligned = align(layouts);
  if (!aligned)
    return std::nullopt;
  TableDigits digits;
  digits.aligned = *aligned;
  digits.all = llvm::to_vector(seq<unsigned>(0, aligned->getNumDigits()));
  aligned->sortByStride(digits.all, 0);
  for (unsigned d : digits.all)
    if (llvm::any_of(ArrayRef(aligned->strides).slice(2, end - 2),
                     [&](ArrayRef<int64_t> own) { return own[d] != 0; }))
      digits.positions.push_back(d);
  // Pairs of one head are closest in the value, and are one digit.
  digits.pairDigit = digits.all.empty() ? 0 : digits.all.back();
  if (!digits.all.empty() &&
      aligned->strides[0][digits.pairDigit] == (isInterleaved ? 2 : 1)) {
    digits.pairs = aligned->extents[digits.pairDigit];
    llvm::erase(digits.positions, digits.pairDigit);
  }
  return digits;
}

bool parablock::raise::areConstant(const Turns &turns) {
  return llvm::all_of(turns, [](const std::vector<Turn> &half) {
    return llvm::all_of(half, [](const Turn &turn) {
      return llvm::all_of(turn.table.factors, [](const Factor &factor) {
        return factor.term.node->source == Source::Constant;
      });
    });
  });
}

/// The number that a table of constants holds at a position.
static std::optional<double> getNumber(const Product &table, int64_t position) {
  double number = table.coefficient;
  for (const Factor &factor : table.factors) {
    std::optional<double> element = evaluateAt(factor.term, position);
    if (!element)
      return std::nullopt;
    number *=
        factor.exponent == 1 ? *element : std::pow(*element, factor.exponent);
  }
  return number;
}

/// The place of a pair of a position in the order of one half.
static int64_t getPlace(const TableDigits &digits, int64_t position,
                        int64_t pair) {
  SmallVector<int64_t> index(digits.aligned.getNumDigits(), 0);
  for (unsigned d : llvm::reverse(digits.positions)) {
    index[d] = position % digits.aligned.extents[d];
    position /= digits.aligned.extents[d];
  }
  if (digits.pairs > 1)
    index[digits.pairDigit] = pair;
  int64_t flat = 0;
  for (unsigned d = 0; d < index.size(); ++d)
    flat = flat * digits.aligned.extents[d] + index[d];
  return flat;
}

bool parablock::raise::readTable(const Turns &turns, const TableDigits &digits,
                                 RopeTable &table) {
  table.positions = digits.getPositions();
  table.pairs = digits.pairs;
  for (int64_t t = 0; t < table.positions; ++t)
    for (int64_t i = 0; i < table.pairs; ++i) {
      int64_t at = getPlace(digits, t, i);
      std::optional<double> cosine = getNumber(turns[0][0].table, at);
      std::optional<double> sine = getNumber(turns[1][1].table, at);
      if (!cosine || !sine || getNumber(turns[1][0].table, at) != cosine ||
          getNumber(turns[0][1].table, at) != -*sine)
        return false;
      table.cosines.push_back(*cosine);
      table.sines.push_back(*sine);
    }
  return true;
}

int64_t parablock::raise::countPairs(const Turns &turns,
                                     const TableDigits &digits) {
  RopeTable table;
  if (!readTable(turns, digits, table))
    return 0;
  auto next = llvm::find_if(table.sines, [](double sine) { return sine != 0; });
  int64_t count = next - table.sines.begin();
  bool isPart = count > 0 && count < digits.pairs && digits.pairs % count == 0;
  return isPart ? count : 0;
}
