//===- IndexLimits.cpp - checks shapes and values of indices --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/IndexLimits.h"

using namespace parablock;
using Shape = std::vector<int64_t>;

static size_t countValues(const Shape &shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

/// " at [1, 3]": the place of an element.
static std::string formatPlace(const Shape &shape, size_t index) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    auto size = static_cast<size_t>(shape[dim]);
    text = std::to_string(index % size) + (text.empty() ? "" : ", ") + text;
    index /= size;
  }
  return " at [" + text + "]";
}

static std::string formatFault(const std::string &name,
                               const std::string &wanted, int64_t got,
                               const Shape &shape, size_t index) {
  return "input '" + name + "': expected " + wanted + ", got " +
         std::to_string(got) + formatPlace(shape, index);
}

std::optional<std::string> parablock::checkIndexShape(const IndexLimit &limit,
                                                      const std::string &name,
                                                      const Shape &shape) {
  if (limit.kind != IndexLimit::Positions || limit.padId || shape.empty() ||
      shape.back() <= limit.size - limit.firstPosition)
    return std::nullopt;
  return "input '" + name + "': expected at most " +
         std::to_string(limit.size - limit.firstPosition) +
         " tokens, for which there are positions, got " +
         std::to_string(shape.back());
}

/// Tokens that are not padding have the positions after it, consecutively.
static std::optional<std::string>
checkCountedPositions(const IndexLimit &limit, const std::string &name,
                      const Shape &shape,
                      const std::function<int64_t(size_t)> &getValue) {
  size_t count = countValues(shape);
  auto tokens = static_cast<size_t>(shape.empty() ? 1 : shape.back());
  int64_t position = *limit.padId;
  for (size_t i = 0; i < count; ++i) {
    if (i % tokens == 0)
      position = *limit.padId;
    if (getValue(i) != *limit.padId && ++position >= limit.size)
      return formatFault(name,
                         "positions up to " + std::to_string(limit.size - 1),
                         position, shape, i);
  }
  return std::nullopt;
}

std::optional<std::string>
parablock::checkIndices(const IndexLimit &limit, const std::string &name,
                        const Shape &shape,
                        const std::function<int64_t(size_t)> &getValue) {
  if (limit.kind == IndexLimit::Positions)
    return limit.padId ? checkCountedPositions(limit, name, shape, getValue)
                       : checkIndexShape(limit, name, shape);
  int64_t most = limit.kind == IndexLimit::Rows ? limit.size - 1 : limit.size;
  int64_t least = limit.countsFromEnd ? -limit.size : 0;
  bool areBounds = limit.kind == IndexLimit::Bounds;
  int64_t before = 0;
  for (size_t i = 0, count = countValues(shape); i < count; ++i) {
    int64_t value = getValue(i);
    if (limit.ignored && value == *limit.ignored)
      continue;
    if (value < least || value > most)
      return formatFault(
          name,
          std::to_string(least) + " to " + std::to_string(most) +
              (limit.ignored ? " or " + std::to_string(*limit.ignored) : ""),
          value, shape, i);
    if (areBounds && i == 0 && value != 0)
      return formatFault(name, "element 0 to be 0", value, shape, i);
    if (areBounds && value < before)
      return formatFault(name,
                         "element " + std::to_string(i) + " to be at least " +
                             std::to_string(before),
                         value, shape, i);
    before = value;
  }
  return std::nullopt;
}
