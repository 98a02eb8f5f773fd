//===- Status.h - errors without LLVM ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_STATUS_H
#define PARABLOCK_LAUNCH_STATUS_H

#include "parablock/Files/Status.h"

namespace parablock::launch {

using files::fail;
using files::Failure;
using files::Fault;
using files::Status;

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_STATUS_H
