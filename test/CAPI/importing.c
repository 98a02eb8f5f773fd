/* importing.c - what importers of other frameworks' models need.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Check.h"
#include "parablock-c/Create.h"
#include "parablock-c/Drift.h"
#include "parablock-c/Package.h"
#include "parablock-c/Shapes.h"

#include <string.h>

static int says(const ParablockContext *context, const char *part) {
  if (strstr(parablockContextGetError(context), part))
    return 1;
  fprintf(stderr, "said: %s\n", parablockContextGetError(context));
  return 0;
}

static ParablockModule *load(ParablockContext *context, const char *path) {
  ParablockModule *module = NULL;
  CHECK(parablockModuleLoad(context, path, &module) == ParablockSuccess);
  return module;
}

/* Two sizes of one model are the model for any size. */
static void checkSizes(ParablockModule *module, ParablockModule *other) {
  const char *names[] = {"rows", "tokens"};
  CHECK(parablockModuleOpenSizes(module, other, names, 2) == ParablockSuccess);
  ParablockSignature *signature = NULL;
  CHECK(parablockModuleGetSignature(module, "main", &signature) ==
        ParablockSuccess);
  const ParablockTensorInfo *ids = parablockSignatureGetInput(signature, 0);
  CHECK(ids->rank == 2 && ids->shape[0] == -1 && ids->shape[1] == -1);
  CHECK(strcmp(ids->dims[0], "rows") == 0);
  CHECK(strcmp(ids->dims[1], "tokens") == 0);
  const ParablockTensorInfo *logits = parablockSignatureGetOutput(signature, 0);
  CHECK(logits->shape[0] == -1 && logits->shape[2] == 97);
  parablockSignatureDestroy(signature);
}

static ParablockModule *parse(ParablockContext *context, const char *text) {
  ParablockModule *module = NULL;
  CHECK(parablockModuleParse(context, text, strlen(text), "text", &module) ==
        ParablockSuccess);
  return module;
}

/* What cannot be open says where it differs. */
static void checkClosed(ParablockContext *context) {
  ParablockModule *one = parse(
      context, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
               "  %y = tosa.clamp %x {min_val = 0.0 : f32, max_val = 2.0 : f32}"
               " : (tensor<2xf32>) -> tensor<2xf32>\n"
               "  return %y : tensor<2xf32>\n}");
  ParablockModule *other = parse(
      context, "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
               "  %y = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.0 : f32}"
               " : (tensor<3xf32>) -> tensor<3xf32>\n"
               "  return %y : tensor<3xf32>\n}");
  CHECK(parablockModuleOpenSizes(one, other, NULL, 0) == ParablockBadInput);
  CHECK(says(context, "attributes that depend on sizes: 'max_val' is "
                      "2.000000e+00 : f32 and 3.000000e+00 : f32"));
  parablockModuleDestroy(one);
  parablockModuleDestroy(other);
}

/* What is left of other dialects has its place. */
static void checkUnrecognised(ParablockContext *context) {
  const char *text =
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %y = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32> "
      "loc(\"model\":7:1)\n"
      "  return %y : tensor<2xf32>\n}";
  ParablockModule *module = parse(context, text);
  char *json = NULL;
  CHECK(parablockModuleListUnrecognised(module, &json) == ParablockSuccess);
  CHECK(strstr(json, "\"op\": \"tosa.exp\"") && strstr(json, "\"line\": 7"));
  parablockFree(json);
  parablockModuleDestroy(module);
}

static void checkKernels(ParablockContext *context, ParablockModule *module) {
  char *json = NULL;
  CHECK(parablockModuleListUnrecognised(module, &json) == ParablockSuccess);
  CHECK(strcmp(json, "[]") == 0);
  parablockFree(json);
  CHECK(parablockModuleCountKernels(module, "toaster", &json) ==
        ParablockBadInput);
  CHECK(says(context, "unknown chip 'toaster'"));
  CHECK(parablockModuleRunPasses(module, "block-optimize{chip=sm_90a}") ==
        ParablockSuccess);
  CHECK(parablockModuleCountKernels(module, "sm_90a", &json) ==
        ParablockSuccess);
  CHECK(strstr(json, "\"kind\": \"sdpa\"") && strstr(json, "\"memory_us\": "));
  CHECK(strstr(json, "\"weight_bytes\": ") && strstr(json, "\"layer\": "));
  parablockFree(json);
}

static void checkMistakes(ParablockContext *context, ParablockModule *small,
                          ParablockModule *deep) {
  CHECK(parablockModuleOpenSizes(small, deep, NULL, 0) == ParablockBadInput);
  CHECK(parablockModuleOpenSizes(small, NULL, NULL, 0) == ParablockBadInput);
  ParablockModule *made = NULL;
  CHECK(parablockModuleFromConfig(context, "no such file", NULL, &made) ==
        ParablockBadInput);
  CHECK(says(context, "no such file"));
  ParablockConfigOptions options = {"f8", 0, 0};
  CHECK(parablockModuleFromConfig(context, "x", &options, &made) ==
        ParablockBadInput);
  CHECK(says(context, "'f8'"));
  char *json = NULL;
  CHECK(parablockMeasureDrift(context, "{\"colour\": 1}", &json) ==
        ParablockBadInput);
  CHECK(says(context, "colour"));
  CHECK(parablockMeasureDrift(context, "{\"engine\": \"magic\"}", &json) ==
        ParablockBadInput);
  CHECK(says(context, "expected cpu or reference, got 'magic'"));
  CHECK(parablockModuleWritePackage(small, "toaster", "x.pbk") ==
        ParablockBadInput);
  CHECK(says(context, "toaster"));
  CHECK(parablockPackWeights(context, "no recipe", "in", "out") ==
        ParablockBadInput);
  CHECK(says(context, "no recipe"));
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  ParablockContext *context = parablockContextCreate();
  ParablockModule *small = load(context, argv[1]);
  ParablockModule *large = load(context, argv[2]);
  ParablockModule *deep = load(context, argv[3]);
  checkMistakes(context, large, deep);
  parablockModuleDestroy(large);
  large = load(context, argv[2]);
  checkSizes(small, large);
  checkClosed(context);
  checkUnrecognised(context);
  checkKernels(context, deep);
  parablockModuleDestroy(small);
  parablockModuleDestroy(large);
  parablockModuleDestroy(deep);
  parablockContextDestroy(context);
  printf("opened and measured\n");
  return 0;
}
