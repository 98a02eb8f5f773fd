//===- InputValues.cpp - checks values of indices and caches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "InputValues.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace parablock;
using namespace parablock::launch;

Status InputValues::collect(const PlanDims &dims) {
  for (const PackagePort &port : program.package.arguments) {
    const std::string &name = port.tensor.name;
    const BoundTensor &bound = sizes.tensors[limits.size()];
    std::vector<IndexLimit> &own = limits.emplace_back();
    for (const PackageLimit &each : port.limits) {
      IndexLimit limit = each.limit;
      int64_t past = 0;
      if (Status failure = evaluateSize(each.size, name, dims, limit.size))
        return failure;
      if (Status failure = evaluateSize(each.past, name, dims, past))
        return failure;
      limit.firstPosition += past;
      if (auto fault = checkIndexShape(limit, name, bound.shape))
        return fail(*fault);
      own.push_back(limit);
    }
  }
  return collectCaches(dims);
}

Status InputValues::collectCaches(const PlanDims &dims) {
  const std::vector<PackagePort> &arguments = program.package.arguments;
  for (unsigned past = 0; past < arguments.size(); ++past) {
    if (!arguments[past].caches)
      continue;
    const PackageCaches &known = *arguments[past].caches;
    const std::string &name = arguments[past].tensor.name;
    Caches own{known.room, past, std::nullopt, {}, {}, {}, {}};
    if (Status failure =
            evaluateSize(known.tokens, name, dims, own.room.tokens))
      return failure;
    for (size_t i = 0; i < known.capacities.size(); ++i)
      if (Status failure = evaluateSize(known.capacities[i], name, dims,
                                        own.room.caches[i].capacity))
        return failure;
    if (known.starts) {
      unsigned starts = 0;
      if (Status failure = program.findInput(*known.starts, starts))
        return failure;
      if (sizes.tensors[starts].numElements != sizes.tensors[past].numElements)
        return fail("input '" + *known.starts +
                    "': expected as many elements " + "as '" + name + "'");
      own.starts = starts;
    }
    for (size_t i = 0; i < known.pools.size(); ++i)
      if (Status failure =
              collectTable(known.pools[i], dims, own, own.room.tables[i]))
        return failure;
    caches = std::move(own);
  }
  return {};
}

Status InputValues::collectTable(const std::vector<PlanSize> &pools,
                                 const PlanDims &dims, Caches &own,
                                 CacheRoom::Table &table) {
  unsigned input = 0;
  if (Status failure = program.findInput(table.name, input))
    return failure;
  const BoundTensor &bound = sizes.tensors[input];
  if (bound.shape.size() != 2 || static_cast<uint64_t>(bound.shape[0]) !=
                                     sizes.tensors[own.past].numElements)
    return fail("input '" + table.name + "': expected as many rows as '" +
                program.package.arguments[own.past].tensor.name + "'");
  table.entries = bound.shape[1];
  table.pages = std::numeric_limits<int64_t>::max();
  for (const PlanSize &size : pools) {
    int64_t pages = 0;
    if (Status failure = evaluateSize(size, table.name, dims, pages))
      return failure;
    table.pages = std::min(table.pages, pages);
  }
  own.tables.push_back(input);
  own.pages.emplace_back();
  return {};
}

template <typename Integer>
static int64_t readAs(const unsigned char *bytes, size_t index) {
  Integer value = 0;
  std::memcpy(&value, bytes + index * sizeof(value), sizeof(value));
  return static_cast<int64_t>(value);
}

static int64_t readInteger(const std::string &type, const unsigned char *bytes,
                           size_t index) {
  if (type == "i64")
    return readAs<int64_t>(bytes, index);
  if (type == "i32")
    return readAs<int32_t>(bytes, index);
  if (type == "i16")
    return readAs<int16_t>(bytes, index);
  return type == "i8" ? readAs<int8_t>(bytes, index)
                      : readAs<uint8_t>(bytes, index);
}

/// Checks that each byte is 0 or 1: code may look at one bit of it or at all.
static Status checkBools(const std::string &input, const unsigned char *bytes,
                         uint64_t count) {
  const unsigned char *wrong = std::find_if(
      bytes, bytes + count, [](unsigned char byte) { return byte > 1; });
  if (wrong == bytes + count)
    return {};
  return fail("input '" + input + "': expected each byte of i1 to be 0 or 1, " +
              "got " + std::to_string(*wrong) + " at byte " +
              std::to_string(wrong - bytes));
}

bool InputValues::areLimited(unsigned input) {
  return !limits[input].empty() || program.plan->tensors[input].type == "i1" ||
         (caches && caches->findValues(input));
}

std::vector<int64_t> *InputValues::Caches::findValues(unsigned input) {
  if (input == past)
    return &pastCounts;
  if (starts == input)
    return &startCounts;
  for (size_t i = 0; i < tables.size(); ++i)
    if (tables[i] == input)
      return &pages[i];
  return nullptr;
}

/// Keeps a copy of an input that counts rows of caches, or of their starts:
/// both are checked together.
void InputValues::keepCounts(unsigned input, const void *data) {
  if (!caches)
    return;
  std::vector<int64_t> *counts = caches->findValues(input);
  if (!counts)
    return;
  counts->resize(static_cast<size_t>(sizes.tensors[input].numElements));
  for (size_t i = 0; i < counts->size(); ++i)
    (*counts)[i] = readInteger(program.plan->tensors[input].type,
                               static_cast<const unsigned char *>(data), i);
  // Two tables may be one input, of caches with and without a window.
  for (size_t i = 0; i < caches->tables.size(); ++i)
    if (caches->tables[i] == input)
      caches->pages[i] = *counts;
}

Status
InputValues::checkCaches(const std::function<bool(unsigned)> &isUnknown) const {
  if (!caches)
    return {};
  if (isUnknown(caches->past) ||
      (caches->starts && isUnknown(*caches->starts)) ||
      std::any_of(caches->tables.begin(), caches->tables.end(), isUnknown))
    return {};
  std::function<int64_t(size_t)> getStart;
  if (caches->starts)
    getStart = [&](size_t row) { return caches->startCounts[row]; };
  std::optional<std::string> fault = caches->room.check(
      static_cast<int64_t>(caches->pastCounts.size()),
      [&](size_t row) { return caches->pastCounts[row]; }, getStart,
      [&](size_t table, size_t at) { return caches->pages[table][at]; });
  return fault ? fail(*fault) : Status();
}

/// Kernels use them as they are.
Status InputValues::check(unsigned input, const void *data) {
  keepCounts(input, data);
  const PlanTensor &tensor = program.plan->tensors[input];
  const auto *bytes = static_cast<const unsigned char *>(data);
  if (tensor.type == "i1")
    if (Status failure =
            checkBools(tensor.name, bytes, sizes.tensors[input].numElements))
      return failure;
  auto getValue = [&](size_t index) {
    return readInteger(tensor.type, bytes, index);
  };
  for (const IndexLimit &limit : limits[input])
    if (auto fault = checkIndices(limit, tensor.name,
                                  sizes.tensors[input].shape, getValue))
      return fail(*fault);
  return {};
}
