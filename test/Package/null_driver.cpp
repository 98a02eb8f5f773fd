//===- null_driver.cpp - a driver that does nothing -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every call succeeds at once and no kernel runs, so that what is measured is
// the launcher alone. Memory of the device is the host's, and holds zeros.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/DriverAPI.h"

using namespace parablock::cuda;

extern "C" {
#define X(name, symbol, parameters)                                            \
  __attribute__((weak)) Result symbol parameters { return Success; }
PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
}
