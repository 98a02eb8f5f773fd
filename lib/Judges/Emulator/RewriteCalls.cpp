//===- RewriteCalls.cpp - replaces intrinsics by table calls --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorTokens.h"
#include "Hooks.h"
#include "InlineAsmText.h"
#include "OpTable.h"
#include "Rewriter.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace parablock::emulator;
using llvm::CallInst;
using llvm::Twine;

/// A call that is in the table, with the operands for its slots.
struct parablock::emulator::BoundCall {
  CallInst *call;
  const Site *site;
  llvm::SmallVector<unsigned, 8> operands;
};

namespace {
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

/// Finds the row of an intrinsic; the row is null for a harmless call, which
/// stays.
static std::optional<AsmBinding> bindIntrinsic(const CallInst &call,
                                               std::string &reason) {
  llvm::Function *callee = call.getCalledFunction();
  if (!callee) {
    reason = "indirect call";
    return std::nullopt;
  }
  llvm::StringRef name = callee->getName();
  bool isIntrinsic = callee->isIntrinsic(),
       isOp = name.starts_with("llvm.nvvm.");
  AsmBinding binding;
  if (isOp)
    binding.row = findOp(
        isIntrinsic ? llvm::Intrinsic::getBaseName(callee->getIntrinsicID())
                    : name);
  if (isOp ? !binding.row : isIntrinsic && !isHarmless(call)) {
    reason = ("the emulator does not know the intrinsic '" + name + "'").str();
    return std::nullopt;
  }
  if (isOp)
    for (unsigned i = 0; i < call.arg_size(); ++i)
      binding.operands.push_back(i);
  return binding;
}

const Site &Rewriter::makeCallSite(CallInst &call, AsmBinding &binding) {
  const OpRow &row = *binding.row;
  Site &site = makeSite(call, row.name);
  site.row = &row;
  site.counter = getCounter(row.name);
  site.immediates = std::move(binding.immediates);
  if (call.arg_size() != 0 && call.getArgOperand(0)->getType()->isPointerTy())
    site.addressSpace =
        call.getArgOperand(0)->getType()->getPointerAddressSpace();
  // A reduction in memory has no order between CTAs.
  usesAtomics |= llvm::StringRef(row.name).contains("reduce");
  return site;
}

void Rewriter::checkWgmmas(llvm::Function &function,
                           llvm::ArrayRef<CallInst *> wgmmas) {
  if (wgmmas.empty() || !checks)
    return;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::FunctionCallee name =
      getHook(hooks::accumulators, builder.getInt32Ty(), {});
  llvm::FunctionCallee touch =
      getHook(hooks::touch, builder.getVoidTy(),
              {builder.getInt32Ty(), builder.getPtrTy()});
  checkAccumulators(function, wgmmas, name, touch,
                    [&](llvm::Instruction &user) {
                      return getPointer(makeSite(user, user.getOpcodeName()));
                    });
}

/// Allocates memory for the operands and the result of each of the calls.
static Scratch makeScratch(llvm::Function &function,
                           llvm::ArrayRef<BoundCall> bound) {
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  size_t numSlots = 0;
  uint64_t resultBytes = 0;
  for (const BoundCall &entry : bound) {
    numSlots = std::max(numSlots, entry.operands.size());
    if (!entry.call->getType()->isVoidTy())
      resultBytes = std::max<uint64_t>(
          resultBytes, layout.getTypeAllocSize(entry.call->getType()));
  }
  return Scratch(function, numSlots, resultBytes);
}

void Rewriter::callTable(llvm::Function &function,
                         llvm::ArrayRef<BoundCall> bound) {
  if (bound.empty())
    return;
  Scratch scratch = makeScratch(function, bound);
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee hook =
      getHook(hooks::call, builder.getVoidTy(), {pointer, pointer, pointer});
  for (const BoundCall &entry : bound) {
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
}

llvm::Error Rewriter::rewriteCalls(llvm::Function &function) {
  auto complain = [&](const CallInst &call, const Twine &message) {
    return llvm::createStringError(describe(call) + ": " + message);
  };
  std::vector<BoundCall> bound;
  std::vector<CallInst *> passThrough, wgmmas;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    std::string reason;
    std::optional<AsmBinding> binding = call->isInlineAsm()
                                            ? bindInlineAsm(*call, reason)
                                            : bindIntrinsic(*call, reason);
    if (!binding)
      return complain(*call, reason);
    if (binding->row) {
      if (llvm::StringRef(binding->row->name) == "asm:wgmma.mma_async")
        wgmmas.push_back(call);
      const Site &site = makeCallSite(*call, *binding);
      bound.push_back({call, &site, std::move(binding->operands)});
    } else if (call->isInlineAsm()) {
      if (!isPassThrough(*call))
        return complain(*call,
                        "empty assembly whose results are not its operands");
      passThrough.push_back(call);
    }
  }
  checkWgmmas(function, wgmmas);
  for (CallInst *call : passThrough)
    replaceByOperands(*call);
  callTable(function, bound);
  return llvm::Error::success();
}
