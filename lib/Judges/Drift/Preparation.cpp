//===- Preparation.cpp - compiles outlines and caches them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Preparation.h"

#include "Weights.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

Expected<DriftEngine> drift::chooseEngine(
    llvm::StringRef name,
    llvm::function_ref<Expected<DriftEngine::Prepare>()> makeCpu) {
  if (name == "reference")
    return DriftEngine();
  if (!name.empty() && name != "cpu")
    return llvm::createStringError("engine: expected cpu or reference, got '" +
                                   name + "'");
  Expected<DriftEngine::Prepare> prepare = makeCpu();
  if (!prepare)
    return prepare.takeError();
  DriftEngine engine;
  engine.name = "cpu";
  engine.prepare = std::move(*prepare);
  engine.fallsBack = name.empty();
  return engine;
}

/// Returns a module with `outline` alone, under a fixed name, in float32: the
/// closest that engines have to exact arithmetic.
static OwningOpRef<ModuleOp> copy(const Outline &outline) {
  func::FuncOp function = outline.function;
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(function.getContext()));
  func::FuncOp clone = function.clone();
  clone.setName("part");
  module->push_back(clone);
  setFloatType(clone, Float32Type::get(function.getContext()));
  return module;
}

/// Without locations, which differ between equal parts.
static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

Expected<Preparation::Entry> Preparation::make(OwningOpRef<ModuleOp> module,
                                               func::FuncOp function) {
  Entry entry;
  std::string &reason = entry.refusal;
  ScopedDiagnosticHandler handler(
      module->getContext(), [&](Diagnostic &diagnostic) {
        if (reason.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          reason = diagnostic.str();
        return success();
      });
  Expected<ReadyFunction> ready =
      succeeded(verify(*module)) ? engine.prepare(function)
                                 : llvm::make_error<runner::DiagnosedError>();
  if (!ready) {
    std::string message = llvm::toString(ready.takeError());
    if (reason.empty())
      reason = message;
    reason = "engine " + engine.name + ": " + reason;
    if (!engine.fallsBack)
      return llvm::createStringError(reason);
    remarks << "remark: engine reference measures a part of the model: "
            << reason << "\n";
    return entry;
  }
  reason.clear();
  entry.module = std::move(module);
  entry.ready = std::move(*ready);
  return entry;
}

Error Preparation::prepare(Outline &outline) {
  if (!engine.prepare)
    return Error::success();
  OwningOpRef<ModuleOp> module = copy(outline);
  std::string text = print(*module);
  auto found = entries.find(text);
  if (found == entries.end()) {
    auto function = cast<func::FuncOp>(module->getBody()->front());
    Expected<Entry> made = make(std::move(module), function);
    if (!made)
      return made.takeError();
    found = entries.try_emplace(text, std::move(*made)).first;
  }
  const Entry &entry = found->second;
  if (!entry.ready) {
    ++refusals[entry.refusal];
    return Error::success();
  }
  ElementType type = getElementTypeOf(
      outline.function.getBody().front().getTerminator()->getOperand(0));
  // Values are float32; the type is that of the model.
  outline.ready = [ready = &entry.ready,
                   type](ArrayRef<Tensor> values) -> Expected<Tensors> {
    Expected<Tensors> results = (*ready)(values);
    if (results)
      for (Tensor &result : *results)
        result.type = type;
    return results;
  };
  return Error::success();
}
