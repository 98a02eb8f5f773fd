/* foreign.c - IR of other tools to a package in one call, and blocks of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Check.h"
#include "parablock-c/Package.h"

#include <string.h>

static int summaries = 0;

static void see(const ParablockDiagnostic *diagnostic, void *userData) {
  (void)userData;
  if (strstr(diagnostic->message, "recognised 2 attention, 2 mlp") &&
      strstr(diagnostic->message, "launches: 12"))
    ++summaries;
}

static int says(const ParablockContext *context, const char *part) {
  if (strstr(parablockContextGetError(context), part))
    return 1;
  fprintf(stderr, "said: %s\n", parablockContextGetError(context));
  return 0;
}

static int isRaised(ParablockModule *module) {
  char *text = NULL;
  CHECK(parablockModulePrint(module, &text) == ParablockSuccess);
  int found = strstr(text, "block.attention") && strstr(text, "@forward(") &&
              !strstr(text, "tosa.matmul");
  parablockFree(text);
  return found;
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  ParablockContext *context = parablockContextCreate();
  parablockContextSetDiagnosticHandler(context, see, NULL);
  ParablockModule *module = NULL;
  CHECK(parablockModuleLoad(context, argv[1], &module) == ParablockSuccess);
  CHECK(parablockModuleWritePackage(module, "sm_90a", argv[2]) ==
        ParablockSuccess);
  CHECK(summaries == 1);

  CHECK(!isRaised(module));
  CHECK(parablockModuleRaise(module, "colour=red") == ParablockBadInput);
  CHECK(says(context, "colour"));
  CHECK(parablockModuleRaise(NULL, NULL) == ParablockBadInput);
  CHECK(!isRaised(module));
  CHECK(parablockModuleRaise(module, NULL) == ParablockSuccess);
  CHECK(isRaised(module));
  CHECK(parablockModuleRunPasses(module, "block-optimize") == ParablockSuccess);
  CHECK(parablockModuleRaise(module, NULL) == ParablockSuccess);
  CHECK(parablockModuleRaise(module, "near-activations=1e-4") ==
        ParablockBadInput);
  CHECK(says(context, "expected IR without kernels"));

  parablockModuleDestroy(module);
  parablockContextDestroy(context);
  printf("raised and written\n");
  return 0;
}
