//===- RewriteCalls.cpp - replaces intrinsics by table calls --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorTokens.h"
#include "Hooks.h"
#include "InlineAsmText.h"
#include "OpTable.h"
#include "Rewriter.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace parablock::emulator;
using llvm::CallInst;
using llvm::Twine;

namespace {
/// A call that is in the table, with the operands for its slots.
struct BoundCall {
  CallInst *call;
  Site *site;
  llvm::SmallVector<unsigned, 8> operands;
};

/// The scratch memory through which calls pass operands and results.
class Scratch {
public:
  Scratch(llvm::Function &function, size_t numSlots, uint64_t resultBytes) {
    llvm::IRBuilder<> builder(&*function.getEntryBlock().begin());
    slots = builder.CreateAlloca(llvm::ArrayType::get(
        builder.getInt64Ty(), std::max<size_t>(numSlots, 1)));
    result = builder.CreateAlloca(llvm::ArrayType::get(
        builder.getInt8Ty(), std::max<uint64_t>(resultBytes, 16)));
    slots->setAlignment(llvm::Align(16));
    result->setAlignment(llvm::Align(64));
  }
  llvm::AllocaInst *slots, *result;
};
} // namespace

/// Returns true for intrinsics without effect on the device, or only on memory,
/// which is handled with the other accesses.
static bool isHarmless(const CallInst &call) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() ||
                       intrinsic->doesNotAccessMemory() ||
                       llvm::isa<llvm::MemIntrinsic>(intrinsic));
}

/// Returns whether the result of the call is its operands.
static bool isPassThrough(const CallInst &call) {
  llvm::Type *type = call.getType();
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return structure->getNumElements() == call.arg_size();
  return type->isVoidTy() || call.arg_size() == 1;
}

static void replaceByOperands(CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type *type = call.getType();
  if (type->isStructTy()) {
    llvm::Value *value = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < call.arg_size(); ++i)
      value = builder.CreateInsertValue(value, call.getArgOperand(i), i);
    call.replaceAllUsesWith(value);
  } else if (!type->isVoidTy()) {
    call.replaceAllUsesWith(call.getArgOperand(0));
  }
  call.eraseFromParent();
}

llvm::Error Rewriter::rewriteCalls(llvm::Function &function) {
  auto complain = [&](const CallInst &call, const Twine &message) {
    return llvm::createStringError(describe(call) + ": " + message);
  };
  std::vector<BoundCall> bound;
  std::vector<CallInst *> passThrough, wgmmas;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *call = llvm::dyn_cast<CallInst>(&instruction);
      if (!call)
        continue;
      BoundCall entry = {call, nullptr, {}};
      const OpRow *row = nullptr;
      llvm::SmallVector<int32_t, 8> immediates;
      if (call->isInlineAsm()) {
        std::string reason;
        std::optional<AsmBinding> binding = bindInlineAsm(*call, reason);
        if (!binding)
          return complain(*call, reason);
        if (!binding->row) {
          if (!isPassThrough(*call))
            return complain(*call, "empty assembly whose results are not its "
                                   "operands");
          passThrough.push_back(call);
          continue;
        }
        row = binding->row;
        entry.operands = std::move(binding->operands);
        immediates = std::move(binding->immediates);
      } else {
        llvm::Function *callee = call->getCalledFunction();
        if (!callee)
          return complain(*call, "indirect call");
        if (!callee->getName().starts_with("llvm.nvvm.")) {
          if (callee->isIntrinsic() && !isHarmless(*call))
            return complain(*call,
                            "the emulator does not know the intrinsic '" +
                                callee->getName() + "'");
          continue;
        }
        row =
            findOp(callee->isIntrinsic()
                       ? llvm::Intrinsic::getBaseName(callee->getIntrinsicID())
                       : callee->getName());
        if (!row)
          return complain(*call, "the emulator does not know the intrinsic '" +
                                     callee->getName() + "'");
        for (unsigned i = 0; i < call->arg_size(); ++i)
          entry.operands.push_back(i);
      }
      entry.site = &makeSite(*call, row->name);
      entry.site->row = row;
      entry.site->counter = getCounter(row->name);
      entry.site->immediates = std::move(immediates);
      if (call->arg_size() != 0 &&
          call->getArgOperand(0)->getType()->isPointerTy())
        entry.site->addressSpace =
            call->getArgOperand(0)->getType()->getPointerAddressSpace();
      if (llvm::StringRef(row->name) == "asm:wgmma.mma_async")
        wgmmas.push_back(call);
      // A reduction in memory has no order between CTAs.
      usesAtomics |= llvm::StringRef(row->name).contains("reduce");
      bound.push_back(std::move(entry));
    }

  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  if (!wgmmas.empty() && checks) {
    llvm::FunctionCallee name =
        getHook(hooks::accumulators, builder.getInt32Ty(), {});
    llvm::FunctionCallee touch = getHook(hooks::touch, builder.getVoidTy(),
                                         {builder.getInt32Ty(), pointer});
    checkAccumulators(function, wgmmas, name, touch,
                      [&](llvm::Instruction &user) {
                        return getPointer(makeSite(user, user.getOpcodeName()));
                      });
  }
  for (CallInst *call : passThrough)
    replaceByOperands(*call);
  if (bound.empty())
    return llvm::Error::success();

  const llvm::DataLayout &layout = module.getDataLayout();
  size_t numSlots = 0;
  uint64_t resultBytes = 0;
  for (const BoundCall &entry : bound) {
    numSlots = std::max(numSlots, entry.operands.size());
    if (!entry.call->getType()->isVoidTy())
      resultBytes = std::max<uint64_t>(
          resultBytes, layout.getTypeAllocSize(entry.call->getType()));
  }
  Scratch scratch(function, numSlots, resultBytes);
  llvm::FunctionCallee hook =
      getHook(hooks::call, builder.getVoidTy(), {pointer, pointer, pointer});
  for (BoundCall &entry : bound) {
    builder.SetInsertPoint(entry.call);
    for (auto [slot, operand] : llvm::enumerate(entry.operands)) {
      llvm::Value *value = entry.call->getArgOperand(operand);
      if (value->getType()->isIntegerTy())
        value = builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
      builder.CreateStore(value,
                          builder.CreateConstGEP1_64(builder.getInt64Ty(),
                                                     scratch.slots, slot));
    }
    builder.CreateCall(
        hook, {getPointer(*entry.site), scratch.slots, scratch.result});
    if (!entry.call->getType()->isVoidTy())
      entry.call->replaceAllUsesWith(
          builder.CreateLoad(entry.call->getType(), scratch.result));
    entry.call->eraseFromParent();
  }
  return llvm::Error::success();
}
