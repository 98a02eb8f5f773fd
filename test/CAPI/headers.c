/* headers.c - all of the C API's headers, as C99 and as C++.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "parablock-c/Context.h"
#include "parablock-c/Create.h"
#include "parablock-c/Drift.h"
#include "parablock-c/Generate.h"
#include "parablock-c/Judge.h"
#include "parablock-c/Memory.h"
#include "parablock-c/Mlir.h"
#include "parablock-c/Module.h"
#include "parablock-c/Package.h"
#include "parablock-c/Pool.h"
#include "parablock-c/Program.h"
