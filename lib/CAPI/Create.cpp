//===- Create.cpp - calls the generator for a config.json -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Create.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Frontends/Generate/Config.h"
#include "parablock/Frontends/Generate/ModelBuilder.h"
#include "llvm/ADT/StringSwitch.h"

using namespace parablock;
using namespace parablock::generate;
using llvm::Error;

static Error create(ParablockContext &context, llvm::StringRef path,
                    const ParablockConfigOptions &given,
                    ParablockModule **module) {
  llvm::StringRef dtype = given.dtype ? given.dtype : "f32";
  auto kind = llvm::StringSwitch<std::optional<FloatKind>>(dtype)
                  .Case("f32", FloatKind::F32)
                  .Case("bf16", FloatKind::BF16)
                  .Case("f16", FloatKind::F16)
                  .Default(std::nullopt);
  if (!kind)
    return llvm::createStringError("expected dtype to be f32, bf16 or f16, "
                                   "got '" +
                                   dtype + "'");
  llvm::Expected<ModelSpec> spec =
      readConfig(path, {/*given=*/true, /*length=*/std::nullopt});
  if (!spec)
    return spec.takeError();
  mlir::Location nowhere = mlir::UnknownLoc::get(&context.context);
  for (const std::string &remark : spec->remarks)
    mlir::emitRemark(nowhere) << remark;
  BuildOptions options;
  options.scope = given.layersOnly ? Scope::Block : Scope::Model;
  options.dtype = *kind;
  options.batch = options.sequence = options.encoderSequence = std::nullopt;
  options.padding = given.padding != 0;
  // Types are outputs of tokenizers, like masks.
  if (std::optional<EmbeddingSpec> &embedding = spec->stack.embedding)
    embedding->typeIds |= options.padding && !embedding->typeTable.empty() &&
                          embedding->typeCount > 1;
  loadDialects(context.context);
  mlir::OwningOpRef<mlir::ModuleOp> built =
      buildModel(context.context, *spec, options);
  if (!built)
    return llvm::createStringError("could not build '" + spec->family + "'");
  *module = new ParablockModule{&context, std::move(built)};
  return Error::success();
}

ParablockStatus parablockModuleFromConfig(ParablockContext *context,
                                          const char *path,
                                          const ParablockConfigOptions *options,
                                          ParablockModule **module) {
  return capi::run(context, {path, module}, [&] {
    return create(*context, path, options ? *options : ParablockConfigOptions{},
                  module);
  });
}
