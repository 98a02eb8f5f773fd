//===- EvalCodes.cpp - group_scales, encode_groups, decode_groups ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// The largest number of E4M3.
static constexpr double kLargest = 448;

/// Returns the number of code `code`, 0 to 255.
static double readCode(int64_t code) {
  int64_t exponent = code / 8 % 16, mantissa = code % 8;
  double number = exponent == 0 ? std::ldexp(mantissa, -9)
                                : std::ldexp(8 + mantissa, exponent - 10);
  if (code % 128 == 127)
    number = std::nan("");
  return code < 128 ? number : -number;
}

/// Returns the code nearest to `number`, by looking at all of one sign.
static int64_t findCode(double number) {
  if (!std::isfinite(number))
    return 127;
  double magnitude = std::fabs(number);
  int64_t best = 0;
  for (int64_t code = 1; code < 127; ++code) {
    double now = std::fabs(readCode(code) - magnitude);
    double before = std::fabs(readCode(best) - magnitude);
    if (now < before || (now == before && code % 2 == 0))
      best = code;
  }
  return std::signbit(number) ? best + 128 : best;
}

static FailureOr<Tensor> evalGroupScales(block::GroupScalesOp op,
                                         Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  auto size = static_cast<int64_t>(op.getGroup());
  llvm::SmallVector<int64_t> shape =
      withWidth(input, input.shape.back() / size);
  FailureOr<std::vector<double>> scales = at.allocate(shape);
  if (failed(scales))
    return failure();
  for (int64_t i = 0, e = scales->size(); i < e; ++i) {
    double scale = std::ldexp(1, -116);
    for (double value : input.data().slice(i * size, size))
      while (std::isfinite(value) && std::fabs(value) > kLargest * scale)
        scale *= 2;
    (*scales)[i] = scale;
  }
  return at.round(std::move(*scales), shape, ElementType::F32);
}

/// Checks at run time that scales are of the rows of `rows`.
static LogicalResult checkScales(Evaluation &at, const Tensor &rows,
                                 const Tensor &scales) {
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("scales", scales, dim, rows.shape[dim],
                            "rows of the input")))
      return failure();
  return success();
}

static FailureOr<Tensor> evalEncodeGroups(block::EncodeGroupsOp op,
                                          Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &scales = at.get(op.getScales());
  if (failed(checkScales(at, input, scales)))
    return failure();
  int64_t size = input.shape.back() / scales.shape.back();
  std::vector<double> codes(input.data());
  for (int64_t i = 0, e = codes.size(); i < e; ++i) {
    int64_t code = findCode(codes[i] / scales.data()[i / size]);
    codes[i] = static_cast<double>(code < 128 ? code : code - 256);
  }
  return at.wrap(std::move(codes), input.shape, ElementType::I8);
}

static FailureOr<Tensor> evalDecodeGroups(block::DecodeGroupsOp op,
                                          Evaluation &at) {
  const Tensor &codes = at.get(op.getCodes());
  const Tensor &scales = at.get(op.getScales());
  if (failed(checkScales(at, codes, scales)))
    return failure();
  int64_t size = codes.shape.back() / scales.shape.back();
  std::vector<double> numbers(codes.data());
  for (int64_t i = 0, e = numbers.size(); i < e; ++i) {
    auto code = static_cast<int64_t>(numbers[i]);
    numbers[i] =
        readCode(code < 0 ? code + 256 : code) * scales.data()[i / size];
  }
  return at.round(std::move(numbers), codes.shape, at.getResultType());
}

void reference::addCodeEvaluators(Registry &registry) {
  registry.add<block::GroupScalesOp>(evalGroupScales);
  registry.add<block::EncodeGroupsOp>(evalEncodeGroups);
  registry.add<block::DecodeGroupsOp>(evalDecodeGroups);
}
