//===- TensorFile.h - arguments from safetensors files ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_TENSORFILE_H
#define PARABLOCK_EXECUTION_TENSORFILE_H

#include "parablock/Execution/ArgumentBinding.h"
#include "parablock/Execution/Engine.h"
#include "parablock/Support/SafeTensors.h"
#include <map>

namespace parablock::runner {

struct ExpertStack;

/// A safetensors file that arguments are read from, one at a time; the file is
/// mapped. Remembers which tensors were converted and which were never
/// requested.
///
/// Published checkpoints of one model differ in whether keys begin with the
/// name of the inner model ("transformer.h.0..." or "h.0..."), regardless of
/// their config. If a key is missing, the same key without its first part, or
/// with one part more, is used if it is unique. Packed tensors and gradients
/// have names that are always used literally. A stack of experts may be stored
/// as a matrix of each expert: it is copied from these.
class TensorFile {
public:
  static llvm::Expected<TensorFile> open(llvm::StringRef path);
  TensorFile(TensorFile &&);
  TensorFile &operator=(TensorFile &&);
  ~TensorFile();

  /// Returns a tensor, or a stack of stored ones, of `experts` or more, which
  /// stays valid with the file; null if there is none.
  const SafeTensorsEntry *lookup(llvm::StringRef name,
                                 int64_t experts = 0) const;
  /// Returns the names of the stored matrices that make up a stack; none for a
  /// stored tensor.
  llvm::ArrayRef<std::string> listParts(llvm::StringRef name) const;
  llvm::ArrayRef<SafeTensorsEntry> entries() const { return file.entries(); }
  const SafeTensorsMetadata &metadata() const { return file.metadata(); }
  llvm::StringRef path() const { return file.path(); }
  /// Releases the memory of the data read so far.
  void releasePages() const { file.releasePages(); }

  /// Returns the tensor of `argument`, converted to its element type. Errors
  /// name the file, the key, the expected and the found value: a missing key,
  /// another shape, floats for integers or integers for floats, integers that
  /// the type cannot hold.
  llvm::Expected<Tensor> load(const Port &argument,
                              llvm::ArrayRef<int64_t> shape);
  /// Returns the part at `offsets` of the tensor that load() returns, in the
  /// shape of `argument`; only this part is converted and kept.
  llvm::Expected<Tensor> loadPart(const Port &argument,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> offsets);

  /// Returns the names of tensors that no argument requested yet.
  std::vector<llvm::StringRef> findUnused() const;

  /// Fails if no argument requested any tensor: `flag`, which named the file,
  /// then has no effect. The error lists `arguments`.
  llvm::Error checkUsed(llvm::StringRef flag,
                        llvm::ArrayRef<llvm::StringRef> arguments) const;

  /// Prints one remark per kind of conversion, one on keys with another prefix,
  /// and one on unused tensors.
  void printRemarks(llvm::raw_ostream &os) const;

private:
  explicit TensorFile(SafeTensorsFile file);
  const SafeTensorsEntry *lookupStored(llvm::StringRef name) const;
  bool isStack(const SafeTensorsEntry *entry) const;
  llvm::Expected<const SafeTensorsEntry *> find(const Port &argument,
                                                llvm::ArrayRef<int64_t> shape);
  /// Converts the elements `values` of `entry`.
  llvm::Expected<Tensor> convert(const SafeTensorsEntry &entry,
                                 const Port &argument,
                                 llvm::ArrayRef<int64_t> shape,
                                 std::vector<double> values);

  SafeTensorsFile file;
  /// The keys with one more leading part than the name: null if
  /// ambiguous.
  llvm::StringMap<const SafeTensorsEntry *> longerKeys;
  /// Stacks by name; null where no expert is stored by itself. Why one cannot
  /// be made is an error of its own.
  mutable llvm::StringMap<std::unique_ptr<ExpertStack>> stacks;
  mutable llvm::StringMap<std::string> stackErrors;
  llvm::StringSet<> usedNames;
  /// Number of names found under another key, and the first one.
  unsigned numOtherKeys = 0;
  std::string firstOtherKey;
  /// Number of conversions from the stored to the loaded type, and the first
  /// name.
  std::map<std::pair<ElementType, ElementType>,
           std::pair<unsigned, std::string>>
      conversions;
};

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_TENSORFILE_H
