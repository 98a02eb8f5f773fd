//===- EvalDropout.cpp - evaluates dropout --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// The odd number next to 2^64 over the golden ratio.
static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Returns the random number of an element whose row has `key`.
static uint32_t draw(uint64_t key, uint32_t column) {
  uint32_t h = column + static_cast<uint32_t>(key);
  h = (h ^ (h >> 16)) * 0x7feb352dU;
  h = ((h ^ (h >> 15)) + static_cast<uint32_t>(key >> 32)) * 0x846ca68bU;
  return h ^ (h >> 16);
}

double reference::getDropoutFactor(block::DropoutAttr form, const Tensor &seed,
                                   int64_t row, int64_t column) {
  auto start = static_cast<uint64_t>(static_cast<int64_t>(seed.data()[0]));
  uint64_t ofSite = mix(start + kStep * (form.getSite() + 1));
  uint64_t key = mix(ofSite + kStep * (row + 1));
  double rate = form.getRate().getValueAsDouble();
  double limit = std::round(rate * 4294967296.0);
  return draw(key, static_cast<uint32_t>(column)) < limit ? 0 : 1 / (1 - rate);
}

double reference::getDropoutFactor(const SdpaOperands &in, int64_t batch,
                                   int64_t head, int64_t queries, int64_t row,
                                   int64_t key) {
  if (!in.seed)
    return 1;
  return getDropoutFactor(in.dropout, *in.seed,
                          (batch * in.heads + head) * queries + row, key);
}

static FailureOr<Tensor> evalDropout(block::DropoutOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor &seed = at.get(op.getSeed());
  int64_t width = input.shape.back();
  std::vector<double> result(input.data());
  for (auto [place, element] : llvm::enumerate(result)) {
    auto index = static_cast<int64_t>(place);
    double factor =
        getDropoutFactor(op.getForm(), seed, index / width, index % width);
    // Dropped elements may hold any value.
    element = factor == 0 ? 0 : element * factor;
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

void reference::addDropoutEvaluators(Registry &registry) {
  registry.add<block::DropoutOp>(evalDropout);
}
