//===- TensorHash.cpp - hashes pieces of tensors --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/TensorHash.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace parablock;
using llvm::ArrayRef;

/// Tensors of no more bytes together are read as a whole.
static constexpr uint64_t kFewBytes = uint64_t(256) << 20;
static constexpr uint64_t kPieces = 64, kPieceBytes = 512;

static uint64_t hashPieces(ArrayRef<uint8_t> bytes) {
  uint64_t size = kPieces * kPieceBytes;
  if (bytes.size() <= size)
    return llvm::xxh3_64bits(bytes);
  uint64_t step = (bytes.size() - kPieceBytes) / (kPieces - 1);
  uint64_t hashes[kPieces];
  for (uint64_t piece = 0; piece < kPieces; ++piece)
    hashes[piece] = llvm::xxh3_64bits(bytes.slice(piece * step, kPieceBytes));
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(hashes), sizeof(hashes)));
}

uint64_t parablock::hashTensors(ArrayRef<const SafeTensorsEntry *> tensors,
                                llvm::function_ref<void()> release) {
  uint64_t bytes = 0;
  for (const SafeTensorsEntry *entry : tensors)
    bytes += entry->bytes.size();
  std::string summary;
  llvm::raw_string_ostream os(summary);
  for (const SafeTensorsEntry *entry : tensors) {
    os << entry->name << getElementTypeKeyword(entry->type)
       << formatShape(entry->shape)
       << (bytes <= kFewBytes ? llvm::xxh3_64bits(entry->bytes)
                              : hashPieces(entry->bytes))
       << "\n";
    release();
  }
  return llvm::xxh3_64bits(os.str());
}
