//===- TensorFile.h - arguments from a safetensors file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_TENSORFILE_H
#define PARABLOCK_RUNNER_TENSORFILE_H

#include "parablock/Judges/Runner/ArgumentBinding.h"
#include "parablock/Judges/Runner/Engine.h"
#include "parablock/Support/SafeTensors.h"
#include <map>

namespace parablock::runner {

/// A safetensors file that arguments are read from, one at a time; the file is
/// mapped. Remembers what was converted and what was never asked for.
///
/// Published checkpoints of one model differ in whether keys begin with the
/// name of the inner model ("transformer.h.0..." or "h.0..."), whatever their
/// config says. Where a key is not there as asked for, the same key without its
/// first part counts, or with one more, if there is one such key only. What is
/// packed has a layout of its own, and a name of its own that always counts, as
/// do gradients.
class TensorFile {
public:
  static llvm::Expected<TensorFile> open(llvm::StringRef path);

  const SafeTensorsEntry *lookup(llvm::StringRef name) const;
  llvm::ArrayRef<SafeTensorsEntry> entries() const { return file.entries(); }
  const SafeTensorsMetadata &metadata() const { return file.metadata(); }
  llvm::StringRef path() const { return file.path(); }
  /// Gives back the memory of what was read so far.
  void releasePages() const { file.releasePages(); }

  /// The tensor of `argument`, converted to its element type. Errors name the
  /// file, the key, what was expected and what was found: no such key, another
  /// shape, floats for integers or integers for floats, integers that the
  /// type cannot hold.
  llvm::Expected<Tensor> load(const Port &argument,
                              llvm::ArrayRef<int64_t> shape);
  /// The part at `offsets` of what load() returns, in the shape of `argument`;
  /// nothing else of the tensor is converted or kept.
  llvm::Expected<Tensor> loadPart(const Port &argument,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> offsets);

  /// The names of what no argument has asked for yet.
  std::vector<llvm::StringRef> findUnused() const;

  /// Fails where no argument has asked for any tensor: `flag`, which gave the
  /// file, then changes nothing. The error lists `arguments`.
  llvm::Error checkUsed(llvm::StringRef flag,
                        llvm::ArrayRef<llvm::StringRef> arguments) const;

  /// One remark per kind of conversion, one on keys with another beginning, and
  /// one if tensors were left over.
  void printRemarks(llvm::raw_ostream &os) const;

private:
  explicit TensorFile(SafeTensorsFile file);
  llvm::Expected<const SafeTensorsEntry *> find(const Port &argument,
                                                llvm::ArrayRef<int64_t> shape);
  /// Converts the elements `values` of `entry`.
  llvm::Expected<Tensor> convert(const SafeTensorsEntry &entry,
                                 const Port &argument,
                                 llvm::ArrayRef<int64_t> shape,
                                 std::vector<double> values);

  SafeTensorsFile file;
  /// The keys that consist of one part more than the name: null where several
  /// do.
  llvm::StringMap<const SafeTensorsEntry *> longerKeys;
  llvm::StringSet<> usedNames;
  /// Names that were found under another key: how many, and the first one.
  unsigned numOtherKeys = 0;
  std::string firstOtherKey;
  /// From the stored to the loaded type: how many, and the first one's name.
  std::map<std::pair<ElementType, ElementType>,
           std::pair<unsigned, std::string>>
      conversions;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_TENSORFILE_H
