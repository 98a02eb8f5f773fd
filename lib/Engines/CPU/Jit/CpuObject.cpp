//===- CpuObject.cpp - emits the entry points of an object file -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuObject.h"

#include "NativeCode.h"
#include "ProgramLists.h"
#include "parablock/Engines/CPU/ProgramNumbers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace parablock;
using llvm::Expected;

namespace {
/// Turns kernels into an object: adds data, and functions named after the model
/// that pass it to the runtime.
class ObjectBuilder {
public:
  ObjectBuilder(llvm::Module &module, llvm::StringRef stem)
      : module(module), builder(module.getContext()), stem(stem) {}

  void addObject(llvm::ArrayRef<int64_t> numbers,
                 llvm::ArrayRef<std::string> names);
  /// Defines STEM_`suffix`, which calls `entry` with the object and its own
  /// arguments, all of them pointers.
  void addFunction(llvm::StringRef suffix, llvm::StringRef entry,
                   llvm::Type *result, unsigned numArguments);
  void addFunctions();

private:
  llvm::GlobalVariable *addGlobal(llvm::Constant *value, llvm::StringRef name,
                                  bool isConstant) {
    return new llvm::GlobalVariable(module, value->getType(), isConstant,
                                    llvm::GlobalValue::PrivateLinkage, value,
                                    name);
  }

  llvm::Module &module;
  llvm::IRBuilder<> builder;
  llvm::StringRef stem;
  llvm::GlobalVariable *object = nullptr;
};
} // namespace

/// The fields of ParablockCpuObject, in order.
void ObjectBuilder::addObject(llvm::ArrayRef<int64_t> row,
                              llvm::ArrayRef<std::string> names) {
  llvm::PointerType *pointer = builder.getPtrTy();
  llvm::SmallVector<llvm::Constant *> kernels;
  for (llvm::StringRef name : names) {
    llvm::Function *kernel = module.getFunction(name);
    kernel->setLinkage(llvm::GlobalValue::InternalLinkage);
    kernels.push_back(kernel);
  }
  auto *kernelTable = llvm::ConstantArray::get(
      llvm::ArrayType::get(pointer, kernels.size()), kernels);
  auto *numbers = llvm::ConstantDataArray::get(
      module.getContext(),
      llvm::ArrayRef<uint64_t>(reinterpret_cast<const uint64_t *>(row.data()),
                               row.size()));
  auto *fields = llvm::ConstantStruct::getAnon(
      {addGlobal(numbers, "numbers", /*isConstant=*/true),
       addGlobal(kernelTable, "kernels", /*isConstant=*/true),
       builder.getInt64(kernels.size()),
       llvm::ConstantPointerNull::get(pointer)});
  object = addGlobal(fields, "object", /*isConstant=*/false);
}

void ObjectBuilder::addFunction(llvm::StringRef suffix, llvm::StringRef entry,
                                llvm::Type *result, unsigned numArguments) {
  llvm::SmallVector<llvm::Type *> types(numArguments, builder.getPtrTy());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(result, types, /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, stem + "_" + suffix, module);
  types.push_back(builder.getPtrTy());
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      entry, llvm::FunctionType::get(result, types, /*isVarArg=*/false));
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::SmallVector<llvm::Value *> arguments{object};
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  builder.CreateRet(builder.CreateCall(callee, arguments));
}

/// As CPU/Runtime/ObjectEntry.h declares the entries.
void ObjectBuilder::addFunctions() {
  llvm::Type *size = builder.getIntPtrTy(module.getDataLayout());
  llvm::Type *status = builder.getInt32Ty();
  addFunction("packed_bytes", "parablockCpuPackedBytes", size, 0);
  addFunction("pack", "parablockCpuPack", status, 3);
  addFunction("workspace_bytes", "parablockCpuWorkspaceBytes", size, 2);
  addFunction("main", "parablockCpuRun", status, 7);
}

/// In a header, weights and inputs are counted each by themselves.
static std::vector<int64_t> makeNumbers(const CpuProgram &program) {
  cpu::ProgramData data = program.getData();
  for (cpu::TensorKind kind : {cpu::TensorKind::Parameter,
                               cpu::TensorKind::Input, cpu::TensorKind::Result})
    for (auto [index, tensor] :
         llvm::enumerate(listTensors(program.tensors, kind)))
      data.tensors[tensor - program.tensors.data()].position = index;
  return makeProgramNumbers(data);
}

Expected<std::string> parablock::makeCpuObject(const CpuProgram &program,
                                               llvm::StringRef stem) {
  Expected<NativeKernels> native = translateKernels(program);
  if (!native)
    return native.takeError();
  llvm::Module &module = *native->module;
  optimizeKernels(module, *native->machine);
  ObjectBuilder builder(module, stem);
  builder.addObject(makeNumbers(program), program.kernels);
  builder.addFunctions();
  return emitObject(module, *native->machine);
}
