//===- SafeTensors.h - Reading and writing safetensors files ----*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is described in parablock/Files/TensorLayout.h.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SAFETENSORS_H
#define PARABLOCK_SUPPORT_SAFETENSORS_H

#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace parablock {

/// Sorted by key, so that writing it is deterministic.
using SafeTensorsMetadata = std::map<std::string, std::string>;

/// One tensor as a header declares it.
struct TensorDeclaration {
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
};

/// The product of `shape`, or none where a dimension is negative or the product
/// does not fit 64 bits (the same for bytes, with the element size).
std::optional<uint64_t> countElements(llvm::ArrayRef<int64_t> shape);
std::optional<uint64_t> countBytes(ElementType type,
                                   llvm::ArrayRef<int64_t> shape);

/// Returns "[2, 17, 64]", for messages.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// One tensor of an open file; `bytes` points into the mapped file.
struct SafeTensorsEntry : TensorDeclaration {
  llvm::ArrayRef<uint8_t> bytes;
  /// The file's word for the type. Floats of 8 bits (F8_E4M3) have the type of
  /// their bits.
  std::string word;

  uint64_t getNumElements() const {
    return bytes.size() / getElementSize(type);
  }
  bool areBits() const { return word == "F8_E4M3"; }
  /// The elements as doubles (see decodeElements).
  std::vector<double> decode() const;
};

/// An open, fully validated file; the data is mapped, not read.
class SafeTensorsFile {
public:
  /// Every error begins with the path and names the wrong tensor key.
  static llvm::Expected<SafeTensorsFile> open(llvm::StringRef path);

  /// Entries in the order of their data.
  llvm::ArrayRef<SafeTensorsEntry> entries() const { return tensors; }
  const SafeTensorsMetadata &metadata() const { return metadataMap; }
  llvm::StringRef path() const { return filePath; }

  /// Returns null if no tensor has that name.
  const SafeTensorsEntry *lookup(llvm::StringRef name) const;

  /// Returns the tensor of that name with exactly that shape, or an error with
  /// the file, the key, the expected and the found value. The caller must
  /// compare the stored element type, which may differ.
  llvm::Expected<const SafeTensorsEntry *>
  require(llvm::StringRef name, llvm::ArrayRef<int64_t> shape) const;

  /// Releases the memory of the data read so far; entries stay valid and are
  /// read again on the next access.
  void releasePages() const;

private:
  SafeTensorsFile() = default;

  std::string filePath;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<SafeTensorsEntry> tensors;
  llvm::StringMap<size_t> indexOfName;
  SafeTensorsMetadata metadataMap;
};

/// Writes a file whose tensors never need to be in memory together: declare all
/// of them, then append their bytes in file order (declarations()), each tensor
/// in any number of pieces, then keep(). If destroyed without keep(), it leaves
/// no file. Paths are those of AtomicOutput.
class SafeTensorsWriter {
public:
  /// File order is by element size, largest first (so data is aligned), then by
  /// name: the same tensors in any order give the same bytes.
  static llvm::Expected<std::unique_ptr<SafeTensorsWriter>>
  create(llvm::StringRef path, std::vector<TensorDeclaration> declarations,
         const SafeTensorsMetadata &metadata = {});

  /// Tensors in the order in which append() must be called.
  llvm::ArrayRef<TensorDeclaration> declarations() const { return tensors; }

  /// Appends the next bytes of tensor `name`; an error if another tensor is
  /// next or the tensor is already complete.
  llvm::Error append(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes);

  /// Appends the next elements of tensor `name`, rounded to its element type.
  llvm::Error appendValues(llvm::StringRef name, llvm::ArrayRef<double> values);

  /// Gives the file its name; an error if a tensor is incomplete.
  llvm::Error keep();

private:
  SafeTensorsWriter() = default;
  /// Moves past complete tensors, up to one of that name.
  void skipCompleteTensors(llvm::StringRef upTo = "");

  std::unique_ptr<AtomicOutput> output;
  std::vector<TensorDeclaration> tensors;
  size_t current = 0;
  uint64_t currentWritten = 0;
};

/// A tensor in memory, written at once.
struct TensorToWrite : TensorDeclaration {
  llvm::ArrayRef<uint8_t> bytes;
};

/// Writes all of `tensors` with SafeTensorsWriter.
llvm::Error writeSafeTensors(llvm::StringRef path,
                             llvm::ArrayRef<TensorToWrite> tensors,
                             const SafeTensorsMetadata &metadata = {});

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SAFETENSORS_H
