//===- Sha256.h - SHA-256 hashes --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_SHA256_H
#define PARABLOCK_FILES_SHA256_H

#include <string>
#include <string_view>

namespace parablock::files {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
std::string computeSha256(std::string_view bytes);

} // namespace parablock::files

#endif // PARABLOCK_FILES_SHA256_H
