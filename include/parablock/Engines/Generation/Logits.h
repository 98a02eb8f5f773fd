//===- Logits.h - floats of a function's results ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_LOGITS_H
#define PARABLOCK_GENERATION_LOGITS_H

#include <cstddef>
#include <string_view>

namespace parablock::generation {

/// Returns whether logits may have that type: f64, f32, bf16 or f16.
bool isLogitsType(std::string_view type);

/// Converts `count` numbers of such a type, of any alignment, to the nearest
/// f32.
void readLogits(std::string_view type, const void *data, size_t count,
                float *values);

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_LOGITS_H
