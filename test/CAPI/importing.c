/* importing.c - what importers of other frameworks' models need.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Check.h"
#include "parablock-c/Create.h"
#include "parablock-c/Drift.h"
#include "parablock-c/Package.h"

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

static ParablockModule *parse(ParablockContext *context, const char *text) {
  ParablockModule *module = NULL;
  CHECK(parablockModuleParse(context, text, strlen(text), "text", &module) ==
        ParablockSuccess);
  return module;
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

static void checkMistakes(ParablockContext *context, ParablockModule *small) {
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
  CHECK(argc == 2);
  ParablockContext *context = parablockContextCreate();
  ParablockModule *model = load(context, argv[1]);
  checkMistakes(context, model);
  checkUnrecognised(context);
  checkKernels(context, model);
  parablockModuleDestroy(model);
  parablockContextDestroy(context);
  printf("refused and measured\n");
  return 0;
}
