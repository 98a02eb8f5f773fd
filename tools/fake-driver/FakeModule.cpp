//===- FakeModule.cpp - code for the emulator -----------------------------===//
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

llvm::Expected<std::unique_ptr<FakeModule>>
fake::makeModule(std::string bitcode, DeviceMemory &memory) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "package"), *context);
  if (!module)
    return module.takeError();
  auto made = std::make_unique<FakeModule>();
  const llvm::DataLayout &layout = (*module)->getDataLayout();
  for (const llvm::Function &function : **module) {
    if (function.isDeclaration())
      continue;
    FakeFunction &entry = made->functions[function.getName().str()];
    entry.name = function.getName().str();
    entry.threads = getFirst(function, "nvvm.reqntid", 0);
    entry.cluster = getFirst(function, "nvvm.cluster_dim", 1);
    entry.waits = waitsForLaunchBefore(function);
    for (const llvm::Argument &argument : function.args()) {
      llvm::Type *type = argument.getParamByValType();
      entry.parameterBytes.push_back(static_cast<uint32_t>(
          layout.getTypeAllocSize(type ? type : argument.getType())));
    }
  }
  llvm::Expected<std::unique_ptr<Emulator>> emulator =
      Emulator::create(std::move(*module), std::move(context), memory);
  if (!emulator)
    return emulator.takeError();
  made->emulator = std::move(*emulator);
  for (auto &[name, function] : made->functions)
    function.emulator = made->emulator.get();
  return made;
}
