//===- MutationEdits.cpp - edits that break instructions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutationEdits.h"
#include "MutationSites.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::CallInst;
using llvm::Instruction;

void emulator::drop(Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  if (type->isIntegerTy(1))
    instruction.replaceAllUsesWith(llvm::ConstantInt::getTrue(type));
  else if (!type->isVoidTy())
    instruction.replaceAllUsesWith(llvm::Constant::getNullValue(type));
  instruction.eraseFromParent();
}

void emulator::dropClusterBarrier(Instruction &instruction) {
  for (Instruction *before = instruction.getPrevNode(); before;
       before = before->getPrevNode())
    if (callsAny(*before, "barrier.cluster.arrive")) {
      before->eraseFromParent();
      break;
    }
  instruction.eraseFromParent();
}

void emulator::dropFunction(Instruction &instruction) {
  instruction.replaceAllUsesWith(instruction.getOperand(0));
  instruction.eraseFromParent();
}

void emulator::addToInteger(Instruction &instruction, unsigned operand,
                            int64_t amount) {
  llvm::Value *value = instruction.getOperand(operand);
  llvm::IRBuilder<> builder(&instruction);
  instruction.setOperand(
      operand, builder.CreateAdd(value, llvm::ConstantInt::getSigned(
                                            value->getType(), amount)));
}

void emulator::addToPointer(Instruction &instruction, unsigned operand,
                            int64_t bytes) {
  llvm::IRBuilder<> builder(&instruction);
  instruction.setOperand(
      operand, builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                          instruction.getOperand(operand),
                                          static_cast<uint64_t>(bytes)));
}

void emulator::flipParity(Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  instruction.setOperand(
      1, builder.CreateXor(instruction.getOperand(1), builder.getInt32(1)));
}

void emulator::moveSource(Instruction &instruction) {
  if (isTensorLoad(instruction))
    addToInteger(instruction, 4, 1);
  else
    addToPointer(instruction, 1, 16);
}

void emulator::moveOutput(Instruction &instruction) {
  if (isGlobalStore(instruction))
    addToPointer(instruction, 1, 4);
  else
    addToInteger(instruction, 2, 8);
}

void emulator::moveLoad(Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
  addToPointer(instruction, 0, layout.getTypeStoreSize(instruction.getType()));
}

void emulator::halveCopy(Instruction &instruction) {
  auto &call = llvm::cast<CallInst>(instruction);
  llvm::IRBuilder<> builder(&instruction);
  if (call.arg_size() == 3) {
    call.setArgOperand(2, builder.CreateLShr(call.getArgOperand(2), 1));
    return;
  }
  // The form with a size has the same name and ".s".
  llvm::Function *plain = call.getCalledFunction();
  llvm::StringRef name = plain->getName();
  uint32_t bytes = 0;
  name.rsplit('.').second.getAsInteger(10, bytes);
  llvm::FunctionCallee sized = instruction.getModule()->getOrInsertFunction(
      (name + ".s").str(), builder.getVoidTy(),
      call.getArgOperand(0)->getType(), call.getArgOperand(1)->getType(),
      builder.getInt32Ty());
  builder.CreateCall(sized, {call.getArgOperand(0), call.getArgOperand(1),
                             builder.getInt32(bytes / 2)});
  call.eraseFromParent();
}

void emulator::flipMulticast(Instruction &instruction) {
  auto &call = llvm::cast<CallInst>(instruction);
  unsigned mask = call.arg_size() - 5;
  llvm::IRBuilder<> builder(&instruction);
  call.setArgOperand(
      mask, builder.CreateXor(call.getArgOperand(mask), builder.getInt16(1)));
}

/// The last descriptor is that of B.
static void addToDescriptor(Instruction &instruction, int64_t amount) {
  auto &call = llvm::cast<CallInst>(instruction);
  for (unsigned i = call.arg_size(); i-- > 0;)
    if (call.getArgOperand(i)->getType()->isIntegerTy(64))
      return addToInteger(instruction, i, amount);
}

// The start is in units of 16 bytes, starting at bit 0; the stride offset, too,
// starting at bit 32; the swizzle has bits 62 and 63.
void emulator::changeStart(Instruction &instruction) {
  addToDescriptor(instruction, 2);
}
void emulator::changeStride(Instruction &instruction) {
  addToDescriptor(instruction, int64_t(1) << 33);
}
void emulator::changeSwizzle(Instruction &instruction) {
  addToDescriptor(instruction, int64_t(1) << 62);
}

void emulator::flipScale(Instruction &instruction) {
  auto &call = llvm::cast<CallInst>(instruction);
  unsigned operand = findScale(call);
  auto *scale = llvm::cast<llvm::ConstantInt>(call.getArgOperand(operand));
  call.setArgOperand(operand,
                     llvm::ConstantInt::get(scale->getType(), scale->isZero()));
}

void emulator::swapOperands(Instruction &instruction) {
  llvm::Value *first = instruction.getOperand(0);
  instruction.setOperand(0, instruction.getOperand(1));
  instruction.setOperand(1, first);
}

void emulator::changeLane(Instruction &instruction) {
  if (!callsAny(instruction, "shfl.sync.bfly"))
    return addToInteger(instruction, 2, 1);
  llvm::IRBuilder<> builder(&instruction);
  instruction.setOperand(2, builder.CreateLShr(instruction.getOperand(2), 1));
}

void emulator::splitBarrier(Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  llvm::Value *thread =
      builder.CreateCall(instruction.getModule()->getOrInsertFunction(
          "llvm.nvvm.read.ptx.sreg.tid.x", builder.getInt32Ty()));
  llvm::Value *warp = builder.CreateLShr(thread, 5);
  instruction.setOperand(
      0, builder.CreateAdd(instruction.getOperand(0),
                           builder.CreateAnd(warp, builder.getInt32(1))));
}

void emulator::shrinkMask(Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  instruction.setOperand(
      0, builder.CreateAnd(instruction.getOperand(0), builder.getInt32(~1u)));
}

void emulator::addToResult(Instruction &instruction) {
  llvm::IRBuilder<> builder(instruction.getNextNode());
  auto *more = llvm::BinaryOperator::CreateAdd(
      &instruction, llvm::ConstantInt::get(instruction.getType(), 1));
  instruction.replaceAllUsesWith(more);
  more->setOperand(0, &instruction);
  builder.Insert(more);
}

void emulator::takeNeighbour(Instruction &instruction) {
  auto &extract = llvm::cast<llvm::ExtractValueInst>(instruction);
  llvm::IRBuilder<> builder(&instruction);
  instruction.replaceAllUsesWith(builder.CreateExtractValue(
      extract.getAggregateOperand(), *extract.idx_begin() ^ 1));
  instruction.eraseFromParent();
}

void emulator::startAtOne(Instruction &instruction) {
  for (llvm::Use &use :
       llvm::cast<llvm::PHINode>(instruction).incoming_values()) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(use.get());
    if (!constant || !constant->isNullValue())
      continue;
    if (auto *structure =
            llvm::dyn_cast<llvm::StructType>(constant->getType())) {
      llvm::SmallVector<llvm::Constant *> ones;
      for (llvm::Type *type : structure->elements())
        ones.push_back(llvm::ConstantFP::get(type, 1.0));
      use.set(llvm::ConstantStruct::get(structure, ones));
    } else {
      use.set(llvm::ConstantFP::get(constant->getType(), 1.0));
    }
  }
}

void emulator::changeArithmetic(Instruction &instruction) {
  auto code = instruction.getOpcode() == Instruction::FAdd ? Instruction::FSub
                                                           : Instruction::FAdd;
  llvm::IRBuilder<> builder(&instruction);
  instruction.replaceAllUsesWith(builder.CreateBinOp(
      code, instruction.getOperand(0), instruction.getOperand(1)));
  instruction.eraseFromParent();
}

void emulator::includeEnd(Instruction &instruction) {
  auto &compare = llvm::cast<llvm::ICmpInst>(instruction);
  compare.setPredicate(
      llvm::CmpInst::getNonStrictPredicate(compare.getPredicate()));
}

void emulator::leaveOutEnd(Instruction &instruction) {
  addToInteger(instruction, 1, -1);
}
