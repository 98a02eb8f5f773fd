//===- Hashing.cpp - hashes weights and data ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hashing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace parablock;
using namespace parablock::drift;

/// Numbers in one byte order, so that machines agree.
template <typename T> static void addNumber(llvm::SHA256 &digest, T value) {
  uint8_t bytes[8];
  llvm::support::endian::write64le(bytes, llvm::bit_cast<uint64_t>(value));
  digest.update(bytes);
}

void ContentHash::add(llvm::StringRef name, const runner::Tensor &tensor) {
  addNumber(digest, static_cast<uint64_t>(name.size()));
  digest.update(name);
  addNumber(digest, static_cast<uint64_t>(tensor.shape.size()));
  for (int64_t size : tensor.shape)
    addNumber(digest, size);
  for (double value : tensor.data())
    addNumber(digest, value);
}

std::string ContentHash::finish() {
  return "sha256:" + llvm::toHex(digest.final(), /*LowerCase=*/true);
}
