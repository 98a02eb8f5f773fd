//===- Meeting.h - ranks find each other in a folder ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_MEETING_H
#define PARABLOCK_LIB_LAUNCH_MEETING_H

#include "RankGroup.h"

namespace parablock::launch {

/// Gives every rank the id that the first one makes, by files in `folder`,
/// which all of them see. What earlier runs left there does no harm; two runs
/// at a time need two folders.
Status meetInFolder(const std::string &folder, RankOf own,
                    std::chrono::milliseconds limit, nccl::UniqueId &id);

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_MEETING_H
