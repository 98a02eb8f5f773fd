//===- BlockDissolveKernels.cpp - pass block-dissolve-kernels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/DissolveKernels.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKDISSOLVEKERNELS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr llvm::StringLiteral kDissolveKernels =
    "block-dissolve-kernels";

namespace {
struct BlockDissolveKernelsPass
    : public block::impl::BlockDissolveKernelsBase<BlockDissolveKernelsPass> {
  void runOnOperation() final {
    getOperation()->walk([&](FunctionOpInterface function) {
      int64_t kernels = 0;
      function.walk([&](KernelOp) { ++kernels; });
      if (!dissolveKernels(function))
        return recordNoMatch(function, kDissolveKernels, "kernel");
      remarkPassed(function, kDissolveKernels, "kernels dissolved",
                   {{"kernels", static_cast<double>(kernels)}});
    });
  }
};
} // namespace
