//===- DeviceTargetMachine.cpp - creates target machines ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceTargetMachine.h"

#include "parablock/Support/Chips.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace parablock;

static void initializeBackend() {
  static bool once = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
parablock::createDeviceTargetMachine(llvm::StringRef chipName) {
  llvm::Expected<const Chip &> chip = findDeviceChip(chipName);
  if (!chip)
    return chip.takeError();
  initializeBackend();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, chip->getArchitecture(), chip->features, llvm::TargetOptions(),
      /*RM=*/std::nullopt, /*CM=*/std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("the backend of LLVM does not know '" +
                                   chip->name + "'");
  return machine;
}
