//===- TensorLayout.h - headers of safetensors files ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A safetensors file is: eight bytes, the little-endian length N of the header;
// N bytes of JSON, an object with `{"dtype", "shape", "data_offsets": [begin,
// end]}` per tensor and an optional `__metadata__` object of strings; then the
// tensors' bytes, row-major and little-endian, offsets counted from the end of
// the header. Tensors fill the rest of the file without holes or overlaps.
//
// This is the only C++ reader; python/parablock/weights.py rejects the same
// files (test/Files/hostile.py).
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_TENSORLAYOUT_H
#define PARABLOCK_FILES_TENSORLAYOUT_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parablock::files {

/// A tensor as declared in the header.
struct TensorPlace {
  std::string name;
  /// The format's word: "BF16". For unsupported words, the number of bytes of a
  /// shape is unknown.
  std::string type;
  std::vector<int64_t> shape;
  /// Offsets from the beginning of the file.
  uint64_t begin = 0, end = 0;
};

struct TensorLayout {
  /// In the order of their data.
  std::vector<TensorPlace> tensors;
  /// Sorted by key, so that writing it is deterministic.
  std::map<std::string, std::string> metadata;

  /// Checks all of `contents` except the elements of tensors. Memory is
  /// proportional to the header, which the format limits.
  Status read(std::string_view contents);
};

/// Returns the bytes of an element; 0 for an unknown word.
unsigned getTypeBytes(std::string_view type);

/// Returns the IR type of a type in a file: "i1" for "BOOL"; empty for an
/// unknown type.
std::string_view getTypeKeyword(std::string_view type);

/// The inverse.
std::string_view getTypeWord(std::string_view keyword);

/// Returns the length and header of a file with `tensors` in sequence, the data
/// aligned to 8 bytes. Their places are ignored.
std::string
makeTensorHeader(const std::vector<TensorPlace> &tensors,
                 const std::map<std::string, std::string> &metadata);

} // namespace parablock::files

#endif // PARABLOCK_FILES_TENSORLAYOUT_H
