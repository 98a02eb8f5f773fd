//===- Meeting.h - exchange of ids by files ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_MEETING_H
#define PARABLOCK_LIB_LAUNCH_MEETING_H

#include "RankGroup.h"

namespace parablock::launch {

/// Gives every rank the id that the first one creates, through files in
/// `folder`, which all of them share. Files of earlier runs are harmless;
/// concurrent runs require separate folders.
Status meetInFolder(const std::string &folder, RankOf own,
                    std::chrono::milliseconds limit, nccl::UniqueId &id);

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_MEETING_H
