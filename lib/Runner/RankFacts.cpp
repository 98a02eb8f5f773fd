//===- RankFacts.cpp - what all ranks of a run have to agree on -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Runner/RankFacts.h"

#include "llvm/Support/xxhash.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;

uint64_t runner::hashModule(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return llvm::xxh3_64bits(os.str());
}

/// Files of no more bytes are read as a whole.
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

uint64_t runner::hashTensors(const TensorFile *file) {
  if (!file)
    return 0;
  uint64_t bytes = 0;
  for (const SafeTensorsEntry &entry : file->entries())
    bytes += entry.bytes.size();
  std::string summary;
  llvm::raw_string_ostream os(summary);
  for (const SafeTensorsEntry &entry : file->entries()) {
    os << entry.name << getElementTypeKeyword(entry.type)
       << formatShape(entry.shape)
       << (bytes <= kFewBytes ? llvm::xxh3_64bits(entry.bytes)
                              : hashPieces(entry.bytes))
       << "\n";
    file->releasePages();
  }
  return llvm::xxh3_64bits(os.str());
}

uint64_t runner::hashInputs(const BoundFunction &function,
                            ArrayRef<Tensor> arguments) {
  llvm::SmallVector<uint64_t> hashes;
  for (auto [argument, value] :
       llvm::zip_equal(function.signature.arguments, arguments)) {
    if (argument.isParameter)
      continue;
    ArrayRef<double> elements = value.data();
    hashes.push_back(llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(elements.data()),
                 elements.size() * sizeof(double))));
  }
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(hashes.data()),
               hashes.size() * sizeof(uint64_t)));
}
