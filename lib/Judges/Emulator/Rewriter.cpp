//===- Rewriter.cpp - rewrites modules for the host -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Rewriter.h"
#include "Access.h"
#include "Hooks.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

Rewriter::Rewriter(llvm::Module &module, bool checks)
    : module(module), checks(checks) {
  sites.reserve(maxSites);
  // The site of ops without one.
  Site &site = sites.emplace_back();
  site.op = "launch";
  site.location = module.getName().str();
}

llvm::Error Rewriter::run() {
  if (llvm::Error error = collectKernels())
    return error;
  if (llvm::Error error = checkFunctions())
    return error;
  placeSharedVariables();
  collectVariables();
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      if (llvm::Error error = rewriteFunction(function))
        return error;
  for (KernelInfo &kernel : kernels)
    makeEntry(kernel);
  if (numSites > maxSites)
    return llvm::createStringError(
        "the module has " + Twine(uint64_t(numSites)) +
        " operations and accesses, the emulator can tell 65535 apart");
  // Compiled code must not depend on the name of a file.
  llvm::StripDebugInfo(module);
  module.setSourceFileName("");
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(module, &stream))
    return llvm::createStringError("the rewritten module is not valid: " +
                                   message);
  return llvm::Error::success();
}

/// The attribute "name"="x,y,z"; missing numbers are 1.
static std::optional<Dim3> getDimensions(const llvm::Function &function,
                                         llvm::StringRef name) {
  if (!function.hasFnAttribute(name))
    return std::nullopt;
  Dim3 result;
  llvm::StringRef text = function.getFnAttribute(name).getValueAsString();
  uint32_t *parts[] = {&result.x, &result.y, &result.z};
  for (uint32_t *part : parts) {
    auto [first, rest] = text.split(',');
    if (first.empty() || first.trim().getAsInteger(10, *part))
      break;
    text = rest;
  }
  return result;
}

llvm::Error Rewriter::collectKernels() {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module) {
    if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel ||
        function.isDeclaration())
      continue;
    KernelInfo kernel;
    kernel.name = function.getName().str();
    kernel.entryName = "parablock.entry." + kernel.name;
    for (llvm::Argument &argument : function.args()) {
      llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType()
                                                 : argument.getType();
      kernel.isByValue.push_back(argument.hasByValAttr());
      kernel.parameterBytes.push_back(layout.getTypeAllocSize(type));
      kernel.parameterAligns.push_back(
          argument.hasByValAttr() && argument.getParamAlign()
              ? argument.getParamAlign()->value()
              : layout.getABITypeAlign(type).value());
    }
    kernel.block = getDimensions(function, "nvvm.reqntid");
    kernel.cluster = getDimensions(function, "nvvm.cluster_dim");
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty())
    return llvm::createStringError("the module has no kernel (a definition "
                                   "with the calling convention ptx_kernel)");
  return llvm::Error::success();
}

llvm::Error Rewriter::checkFunctions() {
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return llvm::createStringError("function '" + function.getName() +
                                     "' has no body");
  return llvm::Error::success();
}

void Rewriter::placeSharedVariables() {
  const llvm::DataLayout &layout = module.getDataLayout();
  std::vector<std::pair<llvm::GlobalVariable *, uint64_t>> placed;
  uint64_t end = 0;
  llvm::SmallVector<llvm::GlobalVariable *, 4> dynamic;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != Shared)
      continue;
    uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    if (variable.isDeclaration() || bytes == 0) {
      dynamic.push_back(&variable);
      continue;
    }
    uint64_t offset =
        llvm::alignTo(end, variable.getAlign().value_or(layout.getPrefTypeAlign(
                               variable.getValueType())));
    placed.push_back({&variable, offset});
    end = offset + bytes;
  }
  // All dynamic variables begin where the static ones end.
  llvm::Align align(16);
  for (llvm::GlobalVariable *variable : dynamic)
    align = std::max(align, variable->getAlign().valueOrOne());
  end = llvm::alignTo(end, align);
  for (llvm::GlobalVariable *variable : dynamic)
    placed.push_back({variable, end});
  staticSharedBytes = static_cast<uint32_t>(end);
  for (auto [variable, offset] : placed)
    replaceSharedVariable(*variable, offset);
}

void Rewriter::replaceSharedVariable(llvm::GlobalVariable &variable,
                                     uint64_t offset) {
  llvm::Constant *constants[] = {&variable};
  llvm::convertUsersOfConstantsToInstructions(constants);
  llvm::DenseMap<llvm::Function *, llvm::Value *> addresses;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::FunctionCallee base = getHook(hooks::shared, builder.getPtrTy(), {});
  for (llvm::Use &use : llvm::make_early_inc_range(variable.uses())) {
    auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user)
      continue;
    llvm::Value *&address = addresses[user->getFunction()];
    if (!address) {
      llvm::BasicBlock &entry = user->getFunction()->getEntryBlock();
      builder.SetInsertPoint(entry.getFirstInsertionPt());
      address = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                           builder.CreateCall(base), offset);
      address = builder.CreateAddrSpaceCast(address, variable.getType());
    }
    use.set(address);
  }
  if (variable.use_empty())
    variable.eraseFromParent();
}

void Rewriter::collectVariables() {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.getName().starts_with("llvm."))
      continue;
    if (!variable.hasName())
      variable.setName("parablock.variable");
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variables.push_back(
        {variable.getName().str(),
         module.getDataLayout().getTypeAllocSize(variable.getValueType()),
         variable.isConstant()});
  }
}

llvm::Error Rewriter::rewriteFunction(llvm::Function &function) {
  numberInstructions(function);
  if (llvm::Error error = rewriteAccesses(function))
    return error;
  if (llvm::Error error = rewriteCalls(function))
    return error;
  function.setCallingConv(llvm::CallingConv::C);
  function.setAttributes({});
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->getCalledFunction() &&
            !call->getCalledFunction()->isDeclaration()) {
          call->setCallingConv(llvm::CallingConv::C);
          call->setAttributes({});
        }
  return llvm::Error::success();
}

void Rewriter::numberInstructions(llvm::Function &function) {
  numbers.clear();
  uint32_t number = 0;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      numbers[&instruction] = number++;
}

std::string Rewriter::describe(const llvm::Instruction &instruction) const {
  if (const llvm::DILocation *location = instruction.getDebugLoc())
    return (location->getFilename() + ":" + Twine(location->getLine()) + ":" +
            Twine(location->getColumn()))
        .str();
  return (instruction.getFunction()->getName() + "+" +
          Twine(numbers.lookup(&instruction)))
      .str();
}

Site &Rewriter::makeSite(llvm::Instruction &instruction, llvm::StringRef op) {
  ++numSites;
  Site &site = sites.size() < maxSites ? sites.emplace_back() : sites.back();
  site.index = static_cast<uint16_t>(sites.size() - 1);
  site.op = op.str();
  site.location = describe(instruction);
  return site;
}

uint32_t Rewriter::getCounter(llvm::StringRef name) {
  auto [entry, isNew] =
      counters.try_emplace(name, static_cast<uint32_t>(counterNames.size()));
  if (isNew)
    counterNames.push_back(name.str());
  return entry->second;
}

llvm::Constant *Rewriter::getPointer(const Site &site) const {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *byte = llvm::Type::getInt8Ty(context);
  return llvm::ConstantExpr::getGetElementPtr(
      byte, module.getOrInsertGlobal(hooks::sites, byte),
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context),
                             site.index * sizeof(Site)));
}

llvm::FunctionCallee Rewriter::getHook(const char *name, llvm::Type *result,
                                       llvm::ArrayRef<llvm::Type *> operands) {
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, operands, false));
}

void Rewriter::makeEntry(KernelInfo &kernel) {
  llvm::Function &function = *module.getFunction(kernel.name);
  llvm::IRBuilder<> builder(module.getContext());
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
      llvm::Function::ExternalLinkage, kernel.entryName, module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", entry));
  llvm::SmallVector<llvm::Value *, 8> operands;
  for (llvm::Argument &argument : function.args()) {
    llvm::Value *place = builder.CreateLoad(
        builder.getPtrTy(),
        builder.CreateConstGEP1_64(builder.getPtrTy(), entry->getArg(0),
                                   argument.getArgNo()));
    // A parameter by value is the place itself.
    bool isByValue = kernel.isByValue[argument.getArgNo()];
    operands.push_back(
        isByValue ? builder.CreateAddrSpaceCast(place, argument.getType())
                  : builder.CreateLoad(argument.getType(), place));
  }
  builder.CreateCall(&function, operands);
  builder.CreateRetVoid();
}
