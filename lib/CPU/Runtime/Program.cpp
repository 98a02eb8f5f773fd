//===- Program.cpp - a compiled function as data --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/CPU/Runtime/Program.h"

using namespace parablock::cpu;

namespace {
/// Takes a row of numbers apart; one method per line of the format.
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

  SymbolData symbol() {
    SymbolData data;
    data.tensor = number();
    data.dim = number();
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
    return data;
  }

private:
  const int64_t *next;
};
} // namespace

static int64_t multiply(const std::vector<ExtentData> &extents,
                        const Symbols &symbols) {
  int64_t product = 1;
  for (const ExtentData &extent : extents)
    product *= extent.evaluate(symbols);
  return product;
}

uint64_t TensorData::getBytes(const Symbols &symbols) const {
  return static_cast<uint64_t>(multiply(shape, symbols) * elementBytes);
}

int64_t WorkData::evaluate(const Symbols &symbols) const {
  int64_t blocks = (multiply(inner, symbols) + block - 1) / block;
  return factor * multiply(outer, symbols) * blocks;
}

bool ProgramData::decode(const int64_t *numbers) {
  Reader reader(numbers);
  if (reader.number() != programVersion)
    return false;
  symbols = reader.list(&Reader::symbol);
  tensors = reader.list(&Reader::tensor);
  prepack = reader.list(&Reader::launch);
  launches = reader.list(&Reader::launch);
  return true;
}
