//===- Program.cpp - decodes programs and evaluates sizes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/Program.h"

#include <algorithm>

using namespace parablock::cpu;

namespace {
/// Decodes numbers; one method per line of the format.
class Reader {
public:
  explicit Reader(const int64_t *numbers) : next(numbers) {}

  int64_t number() { return *next++; }

  template <typename Item> std::vector<Item> list(Item (Reader::*read)()) {
    std::vector<Item> items(static_cast<size_t>(number()));
    for (Item &item : items)
      item = (this->*read)();
    return items;
  }

  ExtentData extent() {
    ExtentData data;
    data.value = number();
    data.symbol = number();
    return data;
  }

  SizeStep step() {
    SizeStep data;
    data.kind = number();
    data.value = number();
    return data;
  }

  SymbolData symbol() {
    SymbolData data;
    data.tensor = number();
    data.dim = number();
    data.steps = list(&Reader::step);
    return data;
  }

  TensorData tensor() {
    TensorData data;
    data.kind = static_cast<TensorKind>(number());
    data.elementBytes = number();
    data.position = number();
    data.firstUse = number();
    data.lastUse = number();
    data.shape = list(&Reader::extent);
    return data;
  }

  WorkData work() {
    WorkData data;
    data.factor = number();
    data.outer = list(&Reader::extent);
    data.inner = list(&Reader::extent);
    data.block = number();
    return data;
  }

  LaunchData launch() {
    LaunchData data;
    data.kernel = number();
    data.tensors = list(&Reader::number);
    data.dims = list(&Reader::extent);
    data.numResults = number();
    data.work = work();
    data.grain = number();
    data.scratchBytes = number();
    data.offsets = list(&Reader::number);
    data.reports = number();
    return data;
  }

private:
  const int64_t *next;
};
} // namespace

/// Applies a step to two numbers; false where it has no result.
static bool apply(int64_t kind, int64_t a, int64_t b, int64_t &result) {
  bool divides = kind == SizeStep::FloorDiv || kind == SizeStep::CeilDiv ||
                 kind == SizeStep::Mod;
  if (divides && b <= 0)
    return false;
  int64_t rest = divides ? ((a % b) + b) % b : 0;
  switch (kind) {
  case SizeStep::Add:
    return !__builtin_add_overflow(a, b, &result);
  case SizeStep::Multiply:
    return !__builtin_mul_overflow(a, b, &result);
  case SizeStep::FloorDiv:
    result = (a - rest) / b;
    return true;
  case SizeStep::CeilDiv:
    result = (a - rest) / b + (rest != 0);
    return true;
  case SizeStep::Mod:
    result = rest;
    return true;
  default:
    return false;
  }
}

int64_t SymbolData::evaluate(const Symbols &symbols) const {
  std::vector<int64_t> stack;
  for (const SizeStep &step : steps) {
    if (step.kind == SizeStep::Constant) {
      stack.push_back(step.value);
    } else if (step.kind == SizeStep::Symbol) {
      stack.push_back(symbols[static_cast<size_t>(step.value)]);
    } else {
      int64_t second = stack.back();
      stack.pop_back();
      if (!apply(step.kind, stack.back(), second, stack.back()))
        return -1;
    }
  }
  return stack.back();
}

static int64_t multiply(const std::vector<ExtentData> &extents,
                        const Symbols &symbols) {
  int64_t product = 1;
  for (const ExtentData &extent : extents)
    product *= extent.evaluate(symbols);
  return product;
}

uint64_t TensorData::getBytes(const Symbols &symbols) const {
  auto bytes = static_cast<uint64_t>(elementBytes);
  bool isEmpty = false;
  for (const ExtentData &extent : shape) {
    int64_t size = extent.evaluate(symbols);
    isEmpty |= size == 0;
    // A factor that is too large must saturate, since others are multiplied,
    // too.
    auto factor = static_cast<uint64_t>(std::max<int64_t>(size, 1));
    if (size < 0 || __builtin_mul_overflow(bytes, factor, &bytes) ||
        bytes > mostBytes)
      return mostBytes + 1;
  }
  return isEmpty ? 0 : bytes;
}

int64_t WorkData::evaluate(const Symbols &symbols) const {
  int64_t blocks = (multiply(inner, symbols) + block - 1) / block;
  return factor * multiply(outer, symbols) * blocks;
}

bool ProgramData::decode(const int64_t *numbers) {
  Reader reader(numbers);
  if (reader.number() != programVersion)
    return false;
  needs = static_cast<FeatureSet>(reader.number());
  symbols = reader.list(&Reader::symbol);
  tensors = reader.list(&Reader::tensor);
  prepack = reader.list(&Reader::launch);
  launches = reader.list(&Reader::launch);
  return true;
}
