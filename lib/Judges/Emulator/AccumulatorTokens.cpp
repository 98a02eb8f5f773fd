//===- AccumulatorTokens.cpp - builds tokens beside accumulators ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorTokens.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include <map>
#include <vector>

using namespace parablock::emulator;

namespace {
class TokenWeb {
public:
  TokenWeb(llvm::Function &function, llvm::ArrayRef<llvm::CallInst *> wgmmas,
           llvm::FunctionCallee makeName)
      : zero(llvm::ConstantInt::get(
            llvm::Type::getInt32Ty(function.getContext()), 0)) {
    for (llvm::CallInst *wgmma : wgmmas) {
      llvm::IRBuilder<> builder(wgmma->getNextNode());
      tokens[wgmma] = builder.CreateCall(makeName);
    }
  }

  /// Returns the name of `value`; zero for anything but accumulators.
  llvm::Value *get(llvm::Value *value);
  bool isNone(llvm::Value *token) const { return token == zero; }

private:
  llvm::Value *getOfPhi(llvm::PHINode &phi);
  llvm::Value *getOfSelect(llvm::SelectInst &select);
  llvm::Value *getOfInsert(llvm::InsertValueInst &insert);

  llvm::ConstantInt *zero;
  /// Replacing a phi updates references to it.
  llvm::DenseMap<llvm::Value *, llvm::WeakTrackingVH> tokens;
  /// The accumulators of one wgmma use many phis of one block; their tokens use
  /// one.
  std::map<std::pair<llvm::BasicBlock *, std::vector<llvm::Value *>>,
           llvm::PHINode *>
      phis;
};
} // namespace

llvm::Value *TokenWeb::get(llvm::Value *value) {
  auto found = tokens.find(value);
  if (found != tokens.end())
    return found->second;
  llvm::Value *token = zero;
  if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value))
    token = get(extract->getAggregateOperand());
  else if (auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(value))
    token = getOfInsert(*insert);
  else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    token = getOfPhi(*phi);
  else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    token = getOfSelect(*select);
  tokens[value] = token;
  return token;
}

llvm::Value *TokenWeb::getOfPhi(llvm::PHINode &phi) {
  if (!phi.getType()->isFloatTy() && !phi.getType()->isAggregateType())
    return zero;
  llvm::IRBuilder<> builder(&phi);
  llvm::PHINode *made =
      builder.CreatePHI(zero->getType(), phi.getNumIncomingValues());
  tokens[&phi] = made; // ends the recursion around loops
  bool isKnown = false;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::Value *token = get(phi.getIncomingValue(i));
    isKnown |= !isNone(token) && token != made;
    made->addIncoming(token, phi.getIncomingBlock(i));
  }
  llvm::Value *result = made;
  if (!isKnown) {
    result = zero;
  } else {
    std::vector<llvm::Value *> incoming(made->op_begin(), made->op_end());
    auto [entry, isNew] =
        phis.try_emplace({phi.getParent(), std::move(incoming)}, made);
    if (!isNew)
      result = entry->second;
  }
  if (result != made) {
    made->replaceAllUsesWith(result);
    made->eraseFromParent();
  }
  return result;
}

llvm::Value *TokenWeb::getOfSelect(llvm::SelectInst &select) {
  llvm::Value *ifTrue = get(select.getTrueValue());
  llvm::Value *ifFalse = get(select.getFalseValue());
  if (ifTrue == ifFalse || select.getCondition()->getType()->isVectorTy())
    return ifTrue;
  llvm::IRBuilder<> builder(&select);
  return builder.CreateSelect(select.getCondition(), ifTrue, ifFalse);
}

/// Names grow, so the larger one is the later.
llvm::Value *TokenWeb::getOfInsert(llvm::InsertValueInst &insert) {
  llvm::Value *whole = get(insert.getAggregateOperand());
  llvm::Value *part = get(insert.getInsertedValueOperand());
  if (whole == part || isNone(part))
    return whole;
  if (isNone(whole))
    return part;
  llvm::IRBuilder<> builder(&insert);
  return builder.CreateSelect(builder.CreateICmpUGT(whole, part), whole, part);
}

/// Instructions that only pass accumulators on.
static bool passesOn(const llvm::Instruction &user) {
  return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::ExtractValueInst,
                   llvm::InsertValueInst>(user);
}

void parablock::emulator::checkAccumulators(
    llvm::Function &function, llvm::ArrayRef<llvm::CallInst *> wgmmas,
    llvm::FunctionCallee makeName, llvm::FunctionCallee touch,
    llvm::function_ref<llvm::Value *(llvm::Instruction &)> makeSite) {
  llvm::DenseSet<llvm::Instruction *> producers(wgmmas.begin(), wgmmas.end());
  std::vector<llvm::Instruction *> users;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (!passesOn(instruction) && !producers.contains(&instruction))
        users.push_back(&instruction);

  TokenWeb web(function, wgmmas, makeName);
  llvm::DenseSet<std::pair<llvm::BasicBlock *, llvm::Value *>> checked;
  for (llvm::Instruction *user : users)
    for (llvm::Value *operand : user->operands()) {
      if (!llvm::isa<llvm::Instruction>(operand))
        continue;
      llvm::Value *token = web.get(operand);
      if (web.isNone(token) ||
          !checked.insert({user->getParent(), token}).second)
        continue;
      llvm::IRBuilder<> builder(user);
      builder.CreateCall(touch, {token, makeSite(*user)});
    }
}
