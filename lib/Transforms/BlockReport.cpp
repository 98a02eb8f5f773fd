//===- BlockReport.cpp - counts of a model as text or JSON ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKREPORT
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

namespace {
struct BlockReportPass
    : public parablock::block::impl::BlockReportBase<BlockReportPass> {
  using BlockReportBase::BlockReportBase;
  void runOnOperation() final {}
};
} // namespace
