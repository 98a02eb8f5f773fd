//===- RewriteAccesses.cpp - inserts hooks at accesses --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Hooks.h"
#include "QuickAccess.h"
#include "Rewriter.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace parablock::emulator;

/// A thread's own variable.
static bool isPrivate(const llvm::Value *pointer) {
  return llvm::isa<llvm::AllocaInst>(
      llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0));
}

static bool acquires(llvm::AtomicOrdering ordering) {
  return llvm::isAcquireOrStronger(ordering);
}
static bool releases(llvm::AtomicOrdering ordering) {
  return llvm::isReleaseOrStronger(ordering);
}

llvm::Error Rewriter::rewriteAccesses(llvm::Function &function) {
  std::vector<llvm::Instruction *> accesses;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (instruction.mayReadOrWriteMemory())
        accesses.push_back(&instruction);

  for (llvm::Instruction *instruction : accesses) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      rewriteAccess(*load, load->getPointerOperandIndex(), load->getType(),
                    load->getAlign());
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
      rewriteAccess(*store, store->getPointerOperandIndex(),
                    store->getValueOperand()->getType(), store->getAlign());
    } else if (auto *update =
                   llvm::dyn_cast<llvm::AtomicRMWInst>(instruction)) {
      rewriteAccess(*update, update->getPointerOperandIndex(),
                    update->getType(), update->getAlign());
    } else if (auto *exchange =
                   llvm::dyn_cast<llvm::AtomicCmpXchgInst>(instruction)) {
      rewriteAccess(*exchange, exchange->getPointerOperandIndex(),
                    exchange->getNewValOperand()->getType(),
                    exchange->getAlign());
    } else if (llvm::isa<llvm::FenceInst>(instruction)) {
      rewriteFence(*instruction);
    } else if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction)) {
      // The length of the inline forms is a constant of the instruction, so a
      // copy that must not happen could not be cancelled.
      llvm::Intrinsic::ID id = call->getIntrinsicID();
      if (id == llvm::Intrinsic::memcpy_inline ||
          id == llvm::Intrinsic::memset_inline)
        return llvm::createStringError(
            describe(*call) + ": the emulator does not know the intrinsic '" +
            call->getCalledFunction()->getName() + "'");
      if (llvm::isa<llvm::MemIntrinsic>(call))
        rewriteMemoryIntrinsic(*call);
    } else {
      return llvm::createStringError(describe(*instruction) +
                                     ": the emulator does not know the "
                                     "instruction '" +
                                     instruction->getOpcodeName() + "'");
    }
  }
  return llvm::Error::success();
}

/// Determines the kind of access of an instruction.
static void classify(const llvm::Instruction &instruction, Site &site) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    site.isRead = true;
    site.isAtomic = load->isAtomic() || load->isVolatile();
    site.acquires = acquires(load->getOrdering());
  } else if (const auto *store =
                 llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    site.isWrite = true;
    site.isAtomic = store->isAtomic() || store->isVolatile();
    site.releases = releases(store->getOrdering());
  } else {
    llvm::AtomicOrdering ordering = llvm::AtomicOrdering::Monotonic;
    if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      ordering = update->getOrdering();
    else if (const auto *exchange =
                 llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      ordering = exchange->getMergedOrdering();
    site.isRead = site.isWrite = site.isAtomic = true;
    site.acquires = acquires(ordering);
    site.releases = releases(ordering);
  }
}

void Rewriter::rewriteAccess(llvm::Instruction &instruction,
                             unsigned pointerOperand, llvm::Type *type,
                             llvm::Align align) {
  llvm::Value *address = instruction.getOperand(pointerOperand);
  if (isPrivate(address))
    return;
  unsigned space = address->getType()->getPointerAddressSpace();
  Site site;
  classify(instruction, site);
  usesAtomics |= site.isAtomic && space != Shared && space != SharedCluster;
  // Atomic accesses are checked even without checks: a thread that repeats one
  // must let the others run.
  if (!checks && !site.isAtomic)
    return;
  Site &made = makeSite(instruction, instruction.getOpcodeName());
  site.index = made.index;
  site.op = made.op;
  site.location = made.location;
  site.addressSpace = space;
  site.bytes = module.getDataLayout().getTypeStoreSize(type);
  // The hardware's requirement: no vector access is wider than 16 bytes.
  site.align = static_cast<uint32_t>(std::min<uint64_t>(align.value(), 16));
  made = site;

  llvm::IRBuilder<> builder(&instruction);
  llvm::Type *pointer = builder.getPtrTy();
  const char *hook =
      site.isAtomic ? nullptr : findQuickHook(space, site.bytes, site.isWrite);
  llvm::Value *allowed = builder.CreateCall(
      getHook(hook ? hook : hooks::access, pointer, {pointer, pointer}),
      {builder.CreateAddrSpaceCast(address, pointer), getPointer(made)});
  instruction.setOperand(
      pointerOperand, builder.CreateAddrSpaceCast(allowed, address->getType()));
}

void Rewriter::rewriteMemoryIntrinsic(llvm::CallInst &call) {
  if (!checks)
    return;
  llvm::IRBuilder<> builder(&call);
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee hook =
      getHook(hooks::range, builder.getInt1Ty(),
              {pointer, builder.getInt64Ty(), pointer, builder.getInt1Ty()});
  auto *intrinsic = llvm::cast<llvm::MemIntrinsic>(&call);
  llvm::Value *length = intrinsic->getLength();
  llvm::Value *length64 =
      builder.CreateZExtOrTrunc(length, builder.getInt64Ty());
  llvm::Value *allowed = builder.getTrue();
  auto ask = [&](llvm::Value *address, bool isWrite) {
    if (isPrivate(address))
      return;
    Site &site = makeSite(call, intrinsic->getCalledFunction()->getName());
    site.addressSpace = address->getType()->getPointerAddressSpace();
    allowed = builder.CreateAnd(
        allowed,
        builder.CreateCall(hook, {builder.CreateAddrSpaceCast(address, pointer),
                                  length64, getPointer(site),
                                  builder.getInt1(isWrite)}));
  };
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    ask(transfer->getRawSource(), false);
  ask(intrinsic->getRawDest(), true);
  intrinsic->setLength(builder.CreateSelect(
      allowed, length, llvm::ConstantInt::get(length->getType(), 0)));
}

void Rewriter::rewriteFence(llvm::Instruction &instruction) {
  auto &fence = llvm::cast<llvm::FenceInst>(instruction);
  llvm::IRBuilder<> builder(&fence);
  llvm::Type *flag = builder.getInt1Ty();
  bool isForCta = fence.getSyncScopeID() ==
                  fence.getContext().getOrInsertSyncScopeID("block");
  builder.CreateCall(
      getHook(hooks::fence, builder.getVoidTy(), {flag, flag, flag}),
      {builder.getInt1(acquires(fence.getOrdering())),
       builder.getInt1(releases(fence.getOrdering())),
       builder.getInt1(isForCta)});
  fence.eraseFromParent();
}
