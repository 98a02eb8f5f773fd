/* mlir.c - a module of MLIR's C API here and back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "parablock-c/Mlir.h"
#include "Check.h"
#include "mlir-c/Diagnostics.h"

#include <string.h>

static const char *const kText =
    "func.func @main(%x: tensor<1x4x8xf32> {block.input = \"x\"})\n"
    "    -> tensor<1x4x8xf32> {\n"
    "  %0 = block.activation %x {kind = #block.activation<relu>}\n"
    "      : tensor<1x4x8xf32>\n"
    "  return %0 : tensor<1x4x8xf32>\n"
    "}\n";

typedef struct Text {
  size_t size;
  char data[8192];
} Text;

static void append(MlirStringRef part, void *userData) {
  Text *text = userData;
  if (text->size + part.length < sizeof text->data) {
    memcpy(text->data + text->size, part.data, part.length);
    text->size += part.length;
    text->data[text->size] = 0;
  }
}

static int has(MlirModule module, const char *part) {
  Text text = {0, ""};
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  return strstr(text.data, part) != NULL;
}

static int heard = 0;

static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *userData) {
  (void)diagnostic;
  (void)userData;
  ++heard;
  return mlirLogicalResultSuccess();
}

static MlirContext makeContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  parablockRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

/* With a handle alone, as bindings register a dialect. */
static void registerOne(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handle = mlirGetDialectHandle__block__();
  CHECK(mlirStringRefEqual(mlirDialectHandleGetNamespace(handle),
                           mlirStringRefCreateFromCString("block")));
  CHECK(mlirDialectIsNull(mlirContextGetOrLoadDialect(
      context, mlirDialectHandleGetNamespace(handle))));
  CHECK(!mlirDialectIsNull(mlirDialectHandleLoadDialect(handle, context)));
  CHECK(mlirStringRefEqual(
      mlirDialectHandleGetNamespace(mlirGetDialectHandle__tile__()),
      mlirStringRefCreateFromCString("tile")));
  mlirContextDestroy(context);
}

int main(void) {
  registerOne();
  parablockRegisterAllPasses();
  MlirContext theirs = makeContext(), other = makeContext();
  mlirContextAttachDiagnosticHandler(theirs, hear, NULL, NULL);
  ParablockContext *context = parablockContextCreateFromMlir(theirs);
  CHECK(mlirContextEqual(parablockContextGetMlir(context), theirs));

  MlirStringRef text = mlirStringRefCreateFromCString(kText);
  MlirModule module = mlirModuleCreateParse(theirs, text);
  CHECK(!mlirModuleIsNull(module));
  ParablockModule *ours = NULL;
  CHECK(parablockModuleTakeMlir(context, module, &ours) == ParablockSuccess);
  CHECK(parablockModuleRunPasses(ours, "block-form-kernels") ==
        ParablockSuccess);
  CHECK(has(parablockModuleGetMlir(ours), "block.kernel"));

  /* What fails is said to both. */
  CHECK(
      parablockModuleRunPasses(ours, "block-fold-norm{statistics=none.json}") ==
      ParablockBadInput);
  CHECK(strlen(parablockContextGetError(context)) > 0);
  CHECK(heard > 0);

  module = parablockModuleRelease(ours);
  CHECK(has(module, "block.kernel"));
  mlirModuleDestroy(module);

  MlirModule foreign = mlirModuleCreateParse(other, text);
  CHECK(parablockModuleTakeMlir(context, foreign, &ours) == ParablockBadInput);
  CHECK(strstr(parablockContextGetError(context),
               "expected a module of this context, got one of another"));
  MlirModule none = {NULL};
  CHECK(parablockModuleTakeMlir(context, none, &ours) == ParablockBadInput);
  CHECK(parablockModuleTakeMlir(NULL, foreign, &ours) == ParablockBadInput);
  MlirContext nowhere = {NULL};
  CHECK(parablockContextCreateFromMlir(nowhere) == NULL);
  mlirModuleDestroy(foreign);

  /* The context outlives what stood on it, and works on. */
  parablockContextDestroy(context);
  module = mlirModuleCreateParse(theirs, text);
  CHECK(!mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  mlirContextDestroy(other);
  mlirContextDestroy(theirs);
  printf("there and back\n");
  return 0;
}
