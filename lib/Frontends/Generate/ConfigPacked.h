//===- ConfigPacked.h - readers of quantization_config ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_CONFIGPACKED_H
#define PARABLOCK_LIB_GENERATE_CONFIGPACKED_H

#include "ConfigFields.h"
#include "parablock/Frontends/Generate/WeightSpec.h"

namespace parablock::generate {

/// Reads how matrices are stored as codes of few bits; none if they are not.
/// Unknown settings are errors of `fields`.
std::optional<PackedSpec> readPacked(const ConfigFields &fields);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_CONFIGPACKED_H
