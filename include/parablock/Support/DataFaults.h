//===- DataFaults.h - messages for data that kernels reject -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Routers and experts check numbers that are computed, which no host can check
// before a launch. The messages are the same on CPUs and GPUs. Requires only
// the standard library, because the launcher links no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_DATAFAULTS_H
#define PARABLOCK_SUPPORT_DATAFAULTS_H

#include <cstdint>
#include <optional>
#include <string>

namespace parablock {

/// Describes the NaN among a router's logits in `row`, or among its scores if
/// no `expert` has one.
std::string describeNanOfRouter(int64_t row, std::optional<int64_t> expert);

/// Describes an index that is none of `experts`, in a slot of a row. Of
/// experts, and not of a router's gradient, larger ones may have a weight of 0.
std::string describeExpertIndex(bool isOfExperts, const std::string &index,
                                int64_t experts, int64_t row, int64_t slot);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_DATAFAULTS_H
