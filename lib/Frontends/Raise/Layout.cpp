//===- Layout.cpp - composes, aligns and inverts layouts ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace parablock::raise;

Layout::Layout(ArrayRef<Digit> given, int64_t offset) : offset(offset) {
  for (Digit digit : given) {
    if (digit.extent == 1)
      continue;
    if (!digits.empty() && digits.back().stride == digit.extent * digit.stride)
      digits.back() = {digits.back().extent * digit.extent, digit.stride};
    else
      digits.push_back(digit);
  }
}

int64_t Layout::getSize() const {
  int64_t size = 1;
  for (Digit digit : digits)
    size *= digit.extent;
  return size;
}

bool Layout::isIdentity() const {
  return offset == 0 &&
         (digits.empty() || (digits.size() == 1 && digits[0].stride == 1));
}

bool Layout::isBroadcast() const {
  return digits.empty() || (digits.size() == 1 && digits[0].stride == 0);
}

bool Layout::isInjective() const {
  SmallVector<Digit> sorted = llvm::to_vector(getDigits());
  llvm::sort(sorted, [](Digit a, Digit b) { return a.stride < b.stride; });
  int64_t reach = 0;
  for (Digit digit : sorted) {
    if (digit.stride <= reach)
      return false;
    reach += (digit.extent - 1) * digit.stride;
  }
  return true;
}

bool Layout::isPermutation(int64_t size) const {
  return offset == 0 && getSize() == size && invert(*this).has_value();
}

int64_t Layout::at(int64_t position) const {
  int64_t result = offset;
  for (Digit digit : llvm::reverse(digits)) {
    result += position % digit.extent * digit.stride;
    position /= digit.extent;
  }
  return result;
}

std::optional<Coordinates>
parablock::raise::splitAlong(const Layout &layout, ArrayRef<int64_t> shape) {
  unsigned rank = shape.size();
  SmallVector<int64_t> place(rank, 1);
  for (int64_t d = static_cast<int64_t>(rank) - 2; d >= 0; --d)
    place[d] = place[d + 1] * shape[d + 1];
  Coordinates result;
  result.offsets.resize(rank);
  SmallVector<int64_t> reach(rank);
  int64_t rest = layout.getOffset();
  for (unsigned d = 0; d < rank; ++d) {
    result.offsets[d] = rest / place[d];
    rest %= place[d];
    reach[d] = result.offsets[d];
  }
  for (Digit digit : layout.getDigits()) {
    // From the fastest part of the digit outwards; reversed at the end.
    SmallVector<std::pair<int64_t, SmallVector<int64_t>>> parts;
    while (digit.extent > 1) {
      SmallVector<int64_t> strides(rank, 0);
      if (digit.stride == 0) {
        parts.emplace_back(digit.extent, strides);
        break;
      }
      // The dimension whose place value divides the stride, below its own size.
      unsigned d = 0;
      while (d < rank && (place[d] > digit.stride || shape[d] == 1))
        ++d;
      if (d == rank || digit.stride % place[d] != 0)
        return std::nullopt;
      int64_t step = digit.stride / place[d];
      int64_t extent = digit.extent;
      if (step * (extent - 1) >= shape[d]) {
        if (shape[d] % step != 0 || extent % (shape[d] / step) != 0)
          return std::nullopt;
        extent = shape[d] / step;
      }
      if (extent == 1)
        return std::nullopt;
      strides[d] = step;
      reach[d] += step * (extent - 1);
      parts.emplace_back(extent, strides);
      digit = {digit.extent / extent, digit.stride * extent};
    }
    for (auto &[extent, strides] : llvm::reverse(parts)) {
      result.extents.push_back(extent);
      result.strides.push_back(strides);
    }
  }
  for (unsigned d = 0; d < rank; ++d)
    if (reach[d] >= shape[d])
      return std::nullopt;
  return result;
}

std::optional<Layout> parablock::raise::compose(const Layout &outer,
                                                const Layout &inner) {
  if (inner.isIdentity())
    return outer;
  if (outer.isIdentity() && outer.getSize() == inner.getSize())
    return inner;
  SmallVector<int64_t> shape;
  for (Digit digit : inner.getDigits())
    shape.push_back(digit.extent);
  std::optional<Coordinates> split = splitAlong(outer, shape);
  if (!split)
    return std::nullopt;
  auto read = [&](ArrayRef<int64_t> strides) {
    int64_t sum = 0;
    for (auto [stride, digit] : llvm::zip(strides, inner.getDigits()))
      sum += stride * digit.stride;
    return sum;
  };
  SmallVector<Digit> digits;
  for (auto [extent, strides] : llvm::zip(split->extents, split->strides))
    digits.push_back({extent, read(strides)});
  return Layout(digits, inner.getOffset() + read(split->offsets));
}

std::optional<Layout> parablock::raise::getSection(const Layout &layout,
                                                   int64_t size) {
  if (layout.getOffset() != 0)
    return std::nullopt;
  ArrayRef<Digit> digits = layout.getDigits();
  SmallVector<int64_t> place(digits.size(), 1);
  for (int64_t d = static_cast<int64_t>(digits.size()) - 2; d >= 0; --d)
    place[d] = place[d + 1] * digits[d + 1].extent;
  SmallVector<unsigned> order;
  for (auto [d, digit] : llvm::enumerate(digits))
    if (digit.stride != 0)
      order.push_back(d);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return digits[a].stride < digits[b].stride;
  });
  SmallVector<Digit> section;
  int64_t expected = 1;
  for (unsigned d : order) {
    if (digits[d].stride != expected)
      return std::nullopt;
    expected *= digits[d].extent;
    section.insert(section.begin(), {digits[d].extent, place[d]});
  }
  return expected == size ? std::optional(Layout(section)) : std::nullopt;
}

std::optional<Layout> parablock::raise::invert(const Layout &layout) {
  return getSection(layout, layout.getSize());
}

std::optional<Aligned> parablock::raise::align(ArrayRef<Layout> layouts) {
  // Boundaries of digits in any layout, as numbers of elements below them.
  SmallVector<int64_t> cuts = {1};
  int64_t size = layouts.front().getSize();
  for (const Layout &layout : layouts) {
    if (layout.getSize() != size)
      return std::nullopt;
    int64_t below = 1;
    for (Digit digit : llvm::reverse(layout.getDigits()))
      cuts.push_back(below *= digit.extent);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  Aligned result;
  for (size_t i = cuts.size() - 1; i > 0; --i) {
    if (cuts[i] % cuts[i - 1] != 0)
      return std::nullopt;
    result.extents.push_back(cuts[i] / cuts[i - 1]);
  }
  for (const Layout &layout : layouts) {
    SmallVector<int64_t> strides;
    int64_t within = 1;
    SmallVector<Digit> left(layout.getDigits());
    for (int64_t extent : llvm::reverse(result.extents)) {
      // The digit that is cut further: its lower part was `within` elements.
      strides.push_back(left.back().stride * within);
      within *= extent;
      if (within == left.back().extent) {
        left.pop_back();
        within = 1;
      }
    }
    std::reverse(strides.begin(), strides.end());
    result.strides.push_back(std::move(strides));
  }
  return result;
}

Layout Aligned::select(unsigned which, ArrayRef<unsigned> chosen,
                       int64_t offset) const {
  SmallVector<Digit> digits;
  for (unsigned d : chosen)
    digits.push_back({extents[d], strides[which][d]});
  return Layout(digits, offset);
}

int64_t Aligned::getSize(ArrayRef<unsigned> chosen) const {
  int64_t size = 1;
  for (unsigned d : chosen)
    size *= extents[d];
  return size;
}

SmallVector<unsigned> Aligned::getVarying(unsigned which) const {
  return llvm::filter_to_vector(llvm::seq(getNumDigits()), [&](unsigned d) {
    return strides[which][d] != 0;
  });
}

Layout Aligned::locate(ArrayRef<unsigned> read, ArrayRef<unsigned> stored,
                       int64_t width) const {
  SmallVector<int64_t> places(getNumDigits(), 0);
  for (unsigned d : llvm::reverse(stored)) {
    places[d] = width;
    width *= extents[d];
  }
  return Layout(llvm::map_to_vector(
      read, [&](unsigned d) { return Digit{extents[d], places[d]}; }));
}

void Aligned::sortByStride(SmallVectorImpl<unsigned> &digits,
                           unsigned which) const {
  llvm::stable_sort(digits, [&](unsigned a, unsigned b) {
    return strides[which][a] > strides[which][b];
  });
}

void Aligned::split(unsigned digit, int64_t inner) {
  extents[digit] /= inner;
  extents.insert(extents.begin() + digit + 1, inner);
  for (SmallVector<int64_t> &own : strides) {
    own.insert(own.begin() + digit + 1, own[digit]);
    own[digit] *= inner;
  }
}

SmallVector<unsigned>
parablock::raise::join(std::initializer_list<ArrayRef<unsigned>> lists) {
  SmallVector<unsigned> all;
  for (ArrayRef<unsigned> list : lists)
    llvm::append_range(all, list);
  return all;
}
