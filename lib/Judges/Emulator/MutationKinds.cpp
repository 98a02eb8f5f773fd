//===- MutationKinds.cpp - table of mutation kinds ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutationEdits.h"
#include "MutationSites.h"
#include "parablock/Judges/Emulator/Mutator.h"

using namespace parablock;
using namespace parablock::emulator;

/// A call of an intrinsic with one of the prefixes, after "llvm.nvvm.".
#define CALLS(...)                                                             \
  [](llvm::Instruction &instruction) {                                         \
    return callsAny(instruction, __VA_ARGS__);                                 \
  }

llvm::ArrayRef<MutationKind> parablock::getMutationKinds() {
  static const MutationKind kinds[] = {
      {"drop-copy-wait", "a wait for cp.async is left out",
       CALLS("cp.async.wait"), drop},
      {"drop-wgmma-wait", "a wgmma.wait_group is left out",
       CALLS("wgmma.wait_group"), drop},
      {"drop-object-wait", "a wait for an mbarrier is left out", isObjectWait,
       drop},
      {"drop-store-wait", "a wait for bulk stores is left out",
       CALLS("cp.async.bulk.wait"), drop},
      {"drop-copy-commit", "a commit of cp.async is left out",
       CALLS("cp.async.commit"), drop},
      {"drop-wgmma-commit", "a wgmma.commit_group is left out",
       CALLS("wgmma.commit_group"), drop},
      {"drop-store-commit", "a commit of bulk stores is left out",
       CALLS("cp.async.bulk.commit"), drop},
      {"drop-proxy-fence", "a proxy fence is left out", CALLS("fence.proxy"),
       drop},
      {"drop-object-fence",
       "the fence after the initialisation of mbarriers is left out",
       CALLS("fence.mbarrier_init"), drop},
      {"drop-wgmma-fence", "a wgmma.fence is left out", CALLS("wgmma.fence"),
       drop},
      {"drop-barrier", "a barrier of the CTA is left out",
       CALLS("barrier.cta.sync"), drop},
      {"drop-cluster-barrier", "a barrier of the cluster is left out",
       CALLS("barrier.cluster.wait"), dropClusterBarrier},
      {"drop-warp-barrier", "a barrier of the warp is left out",
       CALLS("bar.warp.sync"), drop},
      {"drop-initialization", "an mbarrier is not initialised",
       CALLS("mbarrier.init"), drop},
      {"drop-register-change", "a setmaxnreg is left out", CALLS("setmaxnreg"),
       drop},
      {"drop-function", "an approximation gives its operand", isFunction,
       dropFunction},
      {"drop-arrival", "an arrival at an mbarrier is left out", isArrival,
       drop},
      {"drop-expected-bytes", "the announcement of bytes is left out",
       expectsBytes, drop},
      {"drop-load", "a copy into shared memory is left out", isCopy, drop},
      {"drop-shared-store", "a store to shared memory is left out",
       isSharedStore, drop},
      {"drop-output", "a store of results is left out", isOutput, drop},
      {"late-wait", "a wait leaves one group more unfinished",
       CALLS("cp.async.wait.group", "wgmma.wait_group"), add<0, 1>},
      {"wrong-expected-bytes", "16 bytes too many are announced", expectsBytes,
       add<1, 16>},
      {"wrong-object-count", "an mbarrier awaits one arrival too many",
       CALLS("mbarrier.init"), add<1, 1>},
      {"wrong-parity", "a wait for the other parity", isParityWait, flipParity},
      {"wrong-barrier-count", "a barrier awaits one warp too many",
       CALLS("barrier.cta.sync.aligned.count", "barrier.cta.sync.count"),
       add<1, 32>},
      {"wrong-barrier", "every other warp comes to the next barrier",
       CALLS("barrier.cta.sync"), splitBarrier},
      {"wrong-register-count", "setmaxnreg of 16 registers more",
       CALLS("setmaxnreg"), add<0, 16>},
      {"wrong-stage", "a copy goes to a place 1024 bytes further", isCopy,
       move<0, 1024>},
      {"wrong-source", "a copy comes from a place one row or 16 bytes further",
       isCopy, moveSource},
      {"wrong-copy-size", "cp.async brings half of the bytes", isLocalCopy,
       halveCopy},
      {"wrong-multicast", "a tensor copy goes to other CTAs of the cluster",
       isMulticast, flipMulticast},
      {"wrong-descriptor-start", "a matrix descriptor begins 32 bytes further",
       isWgmma, changeStart},
      {"wrong-descriptor-swizzle", "a matrix descriptor has another swizzle",
       isWgmma, changeSwizzle},
      {"wrong-descriptor-stride", "a matrix descriptor has another stride",
       isWgmma, changeStride},
      {"wrong-fragment-row", "ldmatrix or stmatrix of another row",
       isMatrixMove, move<0, 64>},
      {"wrong-fragment", "two operands of mma.sync are exchanged",
       CALLS("mma."), swapOperands},
      {"wrong-fragment-part", "a neighbour of a value of a fragment is used",
       isFragmentPart, takeNeighbour},
      {"wrong-start", "a sum begins at 1", isAccumulatorStart, startAtOne},
      {"wrong-accumulation",
       "a wgmma accumulates where it should not, or not "
       "where it should",
       scalesByOperand, flipScale},
      {"wrong-lane", "a shuffle from another lane", CALLS("shfl.sync"),
       changeLane},
      {"wrong-member-mask", "a lane is missing in the mask of an operation",
       hasMemberMask, shrinkMask},
      {"wrong-tile", "a CTA works on the next one's tile",
       CALLS("read.ptx.sreg.ctaid"), addToResult},
      {"wrong-operand", "the next element of global memory is loaded",
       isGlobalLoad, moveLoad},
      {"wrong-arithmetic",
       "a sum instead of a product or a difference, or the other way round",
       isArithmetic, changeArithmetic},
      {"wrong-output", "results are stored further on", isOutput, moveOutput},
      {"one-round-more", "a loop runs once more", isLoopBound, includeEnd},
      {"one-round-less", "a loop runs once less", isLoopBound, leaveOutEnd},
      {"wrong-bound", "a bound is inside what it bounds", isBound, includeEnd},
      {"misaligned-copy", "a copy to an address 8 bytes further", isCopy,
       move<0, 8>},
  };
  return kinds;
}
