//===- TensorLayout.h - what a safetensors file holds -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A safetensors file is: eight bytes, the little-endian length N of the header;
// N bytes of JSON, an object with `{"dtype", "shape", "data_offsets": [begin,
// end]}` per tensor and an optional `__metadata__` object of strings; then the
// tensors' bytes, row-major and little-endian, offsets counted from the end of
// the header. Tensors fill the rest of the file without holes or overlaps.
//
// This is the one reader of it in C++; python/parablock/weights.py refuses the
// same files (test/Files/hostile.py).
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

/// A tensor, as the header has it.
struct TensorPlace {
  std::string name;
  /// The format's word: "BF16". The number of bytes of a shape is unknown for
  /// words that this reader does not support.
  std::string type;
  std::vector<int64_t> shape;
  /// From the beginning of the file.
  uint64_t begin = 0, end = 0;
};

struct TensorLayout {
  /// In the order of their data.
  std::vector<TensorPlace> tensors;
  /// Sorted by key, so that writing it is deterministic.
  std::map<std::string, std::string> metadata;

  /// Checks all of `contents` but the numbers in the tensors. Takes memory in
  /// proportion to the header, which the format limits.
  Status read(std::string_view contents);
};

/// Bytes of an element; 0 for a word that is unknown here.
unsigned getTypeBytes(std::string_view type);

/// Gives what IR calls the type of a file's word: "i1" of "BOOL"; empty for a
/// word that is unknown here.
std::string_view getTypeKeyword(std::string_view type);

/// The inverse.
std::string_view getTypeWord(std::string_view keyword);

/// Length and header of a file that holds `tensors` one behind the other, the
/// data aligned to 8 bytes. Their places are of no interest.
std::string
makeTensorHeader(const std::vector<TensorPlace> &tensors,
                 const std::map<std::string, std::string> &metadata);

} // namespace parablock::files

#endif // PARABLOCK_FILES_TENSORLAYOUT_H
