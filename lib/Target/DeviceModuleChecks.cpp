//===- DeviceModuleChecks.cpp - finds calls the backend lacks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceModuleChecks.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Intrinsics that become a call of the C library on a CPU.
static bool needsLibrary(const Function &callee) {
  switch (callee.getIntrinsicID()) {
  case Intrinsic::acos:
  case Intrinsic::asin:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::cos:
  case Intrinsic::cosh:
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::frexp:
  case Intrinsic::ldexp:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::log2:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::sin:
  case Intrinsic::sincos:
  case Intrinsic::sinh:
  case Intrinsic::tan:
  case Intrinsic::tanh:
    return true;
  case Intrinsic::exp2:
    return callee.getReturnType()->getScalarType()->isDoubleTy();
  default:
    return false;
  }
}

Error parablock::checkDeviceModule(const Module &module) {
  for (const Function &function : module) {
    for (const Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->isDeclaration())
        continue;
      if (!callee->isIntrinsic() || needsLibrary(*callee))
        return createStringError("'" + function.getName() + "' calls '" +
                                 callee->getName() +
                                 "', which needs a device library, and none "
                                 "is linked");
    }
  }
  return Error::success();
}
