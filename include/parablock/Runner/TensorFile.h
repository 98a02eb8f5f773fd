//===- TensorFile.h - arguments from a safetensors file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_TENSORFILE_H
#define PARABLOCK_RUNNER_TENSORFILE_H

#include "parablock/Runner/ArgumentBinding.h"
#include "parablock/Runner/Engine.h"
#include "parablock/Support/SafeTensors.h"
#include <map>

namespace parablock::runner {

/// A safetensors file that arguments are read from, one at a time; the file is
/// mapped. Remembers what was converted and what was never asked for.
class TensorFile {
public:
  static llvm::Expected<TensorFile> open(llvm::StringRef path);

  const SafeTensorsEntry *lookup(llvm::StringRef name) const {
    return file.lookup(name);
  }
  llvm::ArrayRef<SafeTensorsEntry> entries() const { return file.entries(); }
  llvm::StringRef path() const { return file.path(); }

  /// The tensor of `argument`, converted to its element type. Errors name the
  /// file, the key, what was expected and what was found: no such key, another
  /// shape, floats for integers or integers for floats, integers that the
  /// type cannot hold.
  llvm::Expected<Tensor> load(const Port &argument,
                              llvm::ArrayRef<int64_t> shape);

  /// One remark per kind of conversion, and one if tensors were left over.
  void printRemarks(llvm::raw_ostream &os) const;

private:
  explicit TensorFile(SafeTensorsFile file) : file(std::move(file)) {}

  SafeTensorsFile file;
  llvm::StringSet<> usedNames;
  /// From the stored to the loaded type: how many, and the first one's name.
  std::map<std::pair<ElementType, ElementType>,
           std::pair<unsigned, std::string>>
      conversions;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_TENSORFILE_H
