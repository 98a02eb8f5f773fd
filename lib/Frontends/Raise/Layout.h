//===- Layout.h - maps between elements -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reshapes, transpositions, broadcasts and slices have one form here: a map
// from row-major positions of the reading value to row-major positions of the
// value read, as a mixed-radix number with a stride for each digit. Shapes are
// not part of it, so they cannot be inconsistent.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_LAYOUT_H
#define PARABLOCK_LIB_RAISE_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <initializer_list>
#include <optional>

namespace parablock::raise {

struct Digit {
  int64_t extent, stride;
  bool operator==(const Digit &other) const {
    return extent == other.extent && stride == other.stride;
  }
};

class Layout {
public:
  Layout() = default;
  /// Digits from the slowest to the fastest; neighbours that form one run are
  /// joined, so that equal maps are equal layouts.
  Layout(llvm::ArrayRef<Digit> digits, int64_t offset = 0);

  static Layout identity(int64_t size) { return Layout({{size, 1}}); }
  /// Every position reads the same element.
  static Layout broadcast(int64_t size, int64_t offset = 0) {
    return Layout({{size, 0}}, offset);
  }

  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  int64_t getOffset() const { return offset; }
  int64_t getSize() const;
  bool isIdentity() const;
  bool isBroadcast() const;
  /// True where no element is read twice.
  bool isInjective() const;
  /// True where every element of a value of `size` elements is read once.
  bool isPermutation(int64_t size) const;
  /// The element that position `position` reads.
  int64_t at(int64_t position) const;
  /// Calls `see` with the element of each position in turn, while it returns
  /// true; returns whether it always did.
  template <typename SeeT> bool forEach(SeeT see) const {
    llvm::SmallVector<int64_t, 4> counts(digits.size());
    int64_t element = offset;
    for (int64_t left = getSize(); left > 0; --left) {
      if (!see(element))
        return false;
      for (size_t d = digits.size(); d-- > 0;) {
        element += digits[d].stride;
        if (++counts[d] < digits[d].extent)
          break;
        element -= digits[d].stride * digits[d].extent;
        counts[d] = 0;
      }
    }
    return true;
  }
  bool operator==(const Layout &other) const {
    return offset == other.offset && digits == other.digits;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }

private:
  llvm::SmallVector<Digit, 4> digits;
  int64_t offset = 0;
};

/// A layout in digits within single dimensions of the shape that it reads:
/// `strides[i][d]` is the step of digit `i` in the index of dimension `d`.
struct Coordinates {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<llvm::SmallVector<int64_t>> strides;
  llvm::SmallVector<int64_t> offsets;
};

/// `layout` split along `shape`, or nothing where an index would carry over.
std::optional<Coordinates> splitAlong(const Layout &layout,
                                      llvm::ArrayRef<int64_t> shape);

/// First `outer`, then `inner`.
std::optional<Layout> compose(const Layout &outer, const Layout &inner);

/// The inverse of a permutation.
std::optional<Layout> invert(const Layout &layout);
/// Returns a position that reads each of `size` elements: the first one if
/// there are several. None if an element is not read.
std::optional<Layout> getSection(const Layout &layout, int64_t size);

/// Several layouts of one size, written in the same digits.
struct Aligned {
  llvm::SmallVector<int64_t> extents;
  /// `strides[layout][digit]`.
  llvm::SmallVector<llvm::SmallVector<int64_t>> strides;
  unsigned getNumDigits() const { return extents.size(); }
  /// Layout `which` over the chosen digits alone, in that order.
  Layout select(unsigned which, llvm::ArrayRef<unsigned> digits,
                int64_t offset = 0) const;
  int64_t getSize(llvm::ArrayRef<unsigned> digits) const;
  /// Returns the digits that layout `which` varies with.
  llvm::SmallVector<unsigned> getVarying(unsigned which) const;
  /// Returns the layout of the digits `read` over a row-major tensor of the
  /// digits `stored` with `width` elements each. Other digits have stride 0.
  Layout locate(llvm::ArrayRef<unsigned> read, llvm::ArrayRef<unsigned> stored,
                int64_t width = 1) const;
  /// Sorts digits by their strides in layout `which`, largest first.
  void sortByStride(llvm::SmallVectorImpl<unsigned> &digits,
                    unsigned which) const;
  /// Splits a digit in two, the second of which has `inner` positions.
  void split(unsigned digit, int64_t inner);
};
std::optional<Aligned> align(llvm::ArrayRef<Layout> layouts);

/// Returns the digits of all `lists`, one list behind the other.
llvm::SmallVector<unsigned>
join(std::initializer_list<llvm::ArrayRef<unsigned>> lists);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_LAYOUT_H
