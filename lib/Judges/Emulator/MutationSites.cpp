//===- MutationSites.cpp - predicates on instructions ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutationSites.h"
#include "Access.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::CallInst;
using llvm::Instruction;
using llvm::StringRef;

StringRef emulator::getOperation(const Instruction &instruction) {
  const auto *call = llvm::dyn_cast<CallInst>(&instruction);
  if (!call || !call->getCalledFunction())
    return "";
  StringRef name = call->getCalledFunction()->getName();
  return name.consume_front("llvm.nvvm.") ? name : "";
}

bool emulator::isAssembly(const Instruction &instruction, StringRef part) {
  const auto *call = llvm::dyn_cast<CallInst>(&instruction);
  return call && call->isInlineAsm() &&
         llvm::cast<llvm::InlineAsm>(call->getCalledOperand())
             ->getAsmString()
             .contains(part);
}

bool emulator::isWgmma(Instruction &instruction) {
  return isAssembly(instruction, "wgmma.mma_async");
}

bool emulator::isObjectWait(Instruction &instruction) {
  return callsAny(instruction, "mbarrier.try.wait", "mbarrier.test.wait") ||
         isAssembly(instruction, "mbarrier.try_wait");
}

bool emulator::isParityWait(Instruction &instruction) {
  return callsAny(instruction, "mbarrier.try.wait.parity",
                  "mbarrier.test.wait.parity") ||
         isAssembly(instruction, "mbarrier.try_wait.parity");
}

bool emulator::expectsBytes(Instruction &instruction) {
  return callsAny(instruction, "mbarrier.arrive.expect.tx",
                  "mbarrier.expect.tx");
}

bool emulator::isArrival(Instruction &instruction) {
  return (callsAny(instruction, "mbarrier.arrive",
                   "cp.async.mbarrier.arrive") &&
          !expectsBytes(instruction)) ||
         isAssembly(instruction, "mbarrier.arrive");
}

bool emulator::isLocalCopy(Instruction &instruction) {
  return callsAny(instruction, "cp.async.ca.shared", "cp.async.cg.shared");
}

bool emulator::isTensorLoad(Instruction &instruction) {
  return callsAny(instruction, "cp.async.bulk.tensor.g2s");
}

bool emulator::isCopy(Instruction &instruction) {
  return isLocalCopy(instruction) || isTensorLoad(instruction);
}

/// The operands after the coordinates: mask, cache hint, whether there is a
/// mask, whether there is a hint, the group.
bool emulator::isMulticast(Instruction &instruction) {
  if (!isTensorLoad(instruction))
    return false;
  auto &call = llvm::cast<CallInst>(instruction);
  auto *flag = llvm::dyn_cast<llvm::ConstantInt>(
      call.getArgOperand(call.arg_size() - 3));
  return flag && flag->isOne();
}

bool emulator::isMatrixMove(Instruction &instruction) {
  return callsAny(instruction, "ldmatrix", "stmatrix");
}

/// Returns whether it is global memory: by its space, or if it is visibly a
/// parameter's.
static bool isGlobal(const llvm::Value *pointer) {
  unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space == Global)
    return true;
  const llvm::Value *object = llvm::getUnderlyingObject(pointer, 0);
  const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  return space == Generic && argument && !argument->hasByValAttr();
}

bool emulator::isGlobalStore(Instruction &instruction) {
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && isGlobal(store->getPointerOperand());
}

bool emulator::isGlobalLoad(Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && isGlobal(load->getPointerOperand());
}

bool emulator::isOutput(Instruction &instruction) {
  return isGlobalStore(instruction) ||
         callsAny(instruction, "cp.async.bulk.tensor.s2g");
}

bool emulator::isSharedStore(Instruction &instruction) {
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return (store && store->getPointerAddressSpace() == Shared) ||
         callsAny(instruction, "stmatrix");
}

static llvm::ICmpInst *getStrictComparison(Instruction &instruction) {
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  return compare && (compare->getPredicate() == llvm::CmpInst::ICMP_SLT ||
                     compare->getPredicate() == llvm::CmpInst::ICMP_ULT)
             ? compare
             : nullptr;
}

bool emulator::isLoopBound(Instruction &instruction) {
  llvm::ICmpInst *compare = getStrictComparison(instruction);
  return compare && llvm::isa<llvm::PHINode>(compare->getOperand(0)) &&
         llvm::any_of(compare->users(), [](llvm::User *user) {
           return llvm::isa<llvm::BranchInst>(user);
         });
}

bool emulator::isBound(Instruction &instruction) {
  llvm::ICmpInst *compare = getStrictComparison(instruction);
  return compare && !isLoopBound(instruction) &&
         llvm::any_of(compare->users(), [](llvm::User *user) {
           return llvm::isa<llvm::BranchInst, llvm::SelectInst,
                            llvm::BinaryOperator, llvm::ZExtInst>(user);
         });
}

bool emulator::hasMemberMask(Instruction &instruction) {
  return callsAny(instruction, "shfl.sync", "vote.", "elect.sync",
                  "bar.warp.sync", "match.");
}

bool emulator::isFragmentPart(Instruction &instruction) {
  auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
  if (!extract || extract->getNumIndices() != 1)
    return false;
  auto *source = llvm::dyn_cast<Instruction>(extract->getAggregateOperand());
  auto *type = llvm::dyn_cast<llvm::StructType>(
      extract->getAggregateOperand()->getType());
  return source && type && type->getNumElements() % 2 == 0 &&
         (isWgmma(*source) || callsAny(*source, "mma.", "ldmatrix"));
}

bool emulator::isAccumulatorStart(Instruction &instruction) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  if (!phi)
    return false;
  // Sums of a product are one value, a structure.
  llvm::Type *whole = phi->getType();
  llvm::ArrayRef<llvm::Type *> types = whole;
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(whole))
    types = structure->elements();
  if (!llvm::all_of(types, [](llvm::Type *type) { return type->isFloatTy(); }))
    return false;
  auto isZero = [](const llvm::Use &use) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(use.get());
    return constant && constant->isNullValue();
  };
  if (llvm::none_of(phi->incoming_values(), isZero))
    return false;
  // Of a loop: a value at the edge of a tile is zero, too, where nothing reads
  // it.
  llvm::DominatorTree dominators(*phi->getFunction());
  return llvm::any_of(phi->blocks(), [&](const llvm::BasicBlock *block) {
    return dominators.dominates(phi->getParent(), block);
  });
}

bool emulator::isArithmetic(Instruction &instruction) {
  unsigned code = instruction.getOpcode();
  return code == Instruction::FAdd || code == Instruction::FSub ||
         code == Instruction::FMul;
}

bool emulator::isFunction(Instruction &instruction) {
  auto *call = llvm::dyn_cast<CallInst>(&instruction);
  if (!call || !call->getType()->isFloatTy() || call->arg_size() != 1 ||
      !call->getArgOperand(0)->getType()->isFloatTy())
    return false;
  return isAssembly(instruction, "approx") ||
         !getOperation(instruction).empty() ||
         llvm::isa<llvm::IntrinsicInst>(call);
}

unsigned emulator::findScale(const CallInst &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i)->getType()->isIntegerTy(32) &&
        llvm::isa<llvm::ConstantInt>(call.getArgOperand(i)))
      return i;
  return call.arg_size();
}

bool emulator::scalesByOperand(Instruction &instruction) {
  return isWgmma(instruction) &&
         findScale(llvm::cast<CallInst>(instruction)) <
             llvm::cast<CallInst>(instruction).arg_size();
}
