//===- FakeModule.cpp - loads bitcode for the emulator --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace parablock;
using namespace parablock::fake;

/// The first of the numbers in an attribute such as "nvvm.reqntid"="384,1,1".
static uint32_t getFirst(const llvm::Function &function, llvm::StringRef name,
                         uint32_t otherwise) {
  uint32_t value = otherwise;
  function.getFnAttribute(name)
      .getValueAsString()
      .split(',')
      .first.getAsInteger(10, value);
  return value;
}

static bool waitsForLaunchBefore(const llvm::Function &function) {
  const llvm::Function *wait =
      function.getParent()->getFunction("llvm.nvvm.griddepcontrol.wait");
  return wait && llvm::any_of(wait->users(), [&](const llvm::User *user) {
           return llvm::cast<llvm::Instruction>(user)->getFunction() ==
                  &function;
         });
}

FakeModule::FakeModule(DeviceMemory &memory)
    : memory(memory), context(std::make_unique<llvm::LLVMContext>()) {}

FakeModule::~FakeModule() = default;

llvm::Expected<std::unique_ptr<FakeModule>>
FakeModule::create(const std::string &bitcode,
                   llvm::ArrayRef<std::string> functions,
                   DeviceMemory &memory) {
  std::unique_ptr<FakeModule> made(new FakeModule(memory));
  llvm::Expected<std::unique_ptr<llvm::Module>> code = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "package"), *made->context);
  if (!code)
    return code.takeError();
  made->code = std::move(*code);
  if (!functions.empty())
    for (llvm::Function &function : llvm::make_early_inc_range(*made->code))
      if (!function.isDeclaration() &&
          !llvm::is_contained(functions, function.getName()))
        function.eraseFromParent();
  const llvm::DataLayout &layout = made->code->getDataLayout();
  for (const llvm::Function &function : *made->code) {
    if (function.isDeclaration())
      continue;
    FakeFunction &entry = made->functions[function.getName().str()];
    entry.name = function.getName().str();
    entry.threads = getFirst(function, "nvvm.reqntid", 0);
    entry.cluster = getFirst(function, "nvvm.cluster_dim", 1);
    entry.waits = waitsForLaunchBefore(function);
    entry.module = made.get();
    for (const llvm::Argument &argument : function.args()) {
      llvm::Type *type = argument.getParamByValType();
      entry.parameterBytes.push_back(static_cast<uint32_t>(
          layout.getTypeAllocSize(type ? type : argument.getType())));
    }
  }
  return made;
}

llvm::Expected<Emulator *> FakeModule::getEmulator() {
  if (!emulator) {
    if (!code)
      return llvm::createStringError("no code, as told before");
    llvm::Expected<std::unique_ptr<Emulator>> made =
        Emulator::create({std::move(code), std::move(context)}, memory);
    if (!made)
      return made.takeError();
    emulator = std::move(*made);
  }
  return emulator.get();
}
