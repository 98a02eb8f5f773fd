/* run.c - the whole way by the C API: parse, passes, reports, engines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Model.h"

typedef struct Seen {
  int passed, named, withPlace;
} Seen;

static void seeRemark(const ParablockRemark *remark, void *userData) {
  Seen *seen = userData;
  seen->passed += strcmp(remark->kind, "passed") == 0;
  seen->named += strncmp(remark->pass, "block-", 6) == 0;
  seen->withPlace += remark->location.line > 0;
}

static void checkReports(ParablockModule *module) {
  char *json = NULL;
  CHECK(parablockModuleReport(module, NULL, &json) == 0);
  CHECK(strstr(json, "\"flops_per_token\"") != NULL);
  parablockFree(json);
  CHECK(parablockModuleExplain(module, &json) == 0);
  CHECK(strstr(json, "\"recognised\"") != NULL);
  parablockFree(json);
}

/* The IR survives both ways of writing it. */
static void checkRoundTrip(ParablockContext *context, ParablockModule *module) {
  char *text = NULL, *bytes = NULL, *again = NULL;
  size_t size = 0;
  ParablockModule *read = NULL;
  CHECK(parablockModulePrint(module, &text) == 0);
  CHECK(parablockModuleWriteBytecode(module, &bytes, &size) == 0);
  parablockContextTrustBytecode(context);
  CHECK(parablockModuleParse(context, bytes, size, "bytes", &read) == 0);
  CHECK(parablockModulePrint(read, &again) == 0);
  CHECK(strcmp(text, again) == 0);
  parablockModuleDestroy(read);
  CHECK(parablockModuleParse(context, text, strlen(text), "text", &read) == 0);
  parablockModuleDestroy(read);
  parablockFree(text);
  parablockFree(bytes);
  parablockFree(again);
}

static void checkSignature(ParablockModule *module) {
  ParablockSignature *signature = NULL;
  CHECK(parablockModuleGetSignature(module, "main", &signature) == 0);
  CHECK(parablockSignatureGetNumInputs(signature) == 1);
  const ParablockTensorInfo *input = parablockSignatureGetInput(signature, 0);
  CHECK(strcmp(input->name, "input_ids") == 0);
  CHECK(strcmp(input->type, "i64") == 0 && input->elementSize == 8);
  CHECK(input->rank == 2 && input->shape[0] == -1 && input->shape[1] == -1);
  CHECK(strcmp(input->dims[0], "batch") == 0);
  CHECK(strcmp(input->dims[1], "seq") == 0);
  CHECK(parablockSignatureGetInput(signature, 1) == NULL);
  CHECK(parablockSignatureGetNumOutputs(signature) == 1);
  CHECK(strcmp(parablockSignatureGetOutput(signature, 0)->name, "logits") == 0);
  parablockSignatureDestroy(signature);
}

/* Without roundings there are the digits that f32 has no room for, too. */
static void checkExact(const Values *exact, const Values *rounded) {
  const double *x = exact->tensors[0].data;
  const float *y = rounded->tensors[0].data;
  size_t longer = 0;
  for (size_t i = 0; i < exact->elements[0]; ++i) {
    CHECK(fabs(x[i] - (double)y[i]) < 1e-4);
    longer += (double)(float)x[i] != x[i];
  }
  CHECK(2 * longer > exact->elements[0]);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  CHECK(strlen(parablockVersion()) >= 5);
  ParablockContext *context = parablockContextCreate();
  ParablockModule *module = NULL, *fused = NULL;
  CHECK(parablockModuleLoad(context, argv[1], &module) == 0);
  checkSignature(module);
  checkRoundTrip(context, module);

  Seen seen = {0, 0, 0};
  parablockContextSetRemarkHandler(context, seeRemark, &seen);
  CHECK(parablockModuleClone(module, &fused) == 0);
  CHECK(parablockModuleRunPasses(fused, "block-optimize{chip=cpu}") == 0);
  CHECK(seen.passed > 0 && seen.named > 0 && seen.withPlace > 0);
  parablockContextSetRemarkHandler(context, NULL, NULL);
  checkReports(fused);

  Values reference = {0}, serial = {0}, compiled = {0}, exact = {0};
  runModel(context, module, "reference", 1, &reference);
  runModel(context, fused, "cpu", 2, &compiled);
  runModel(context, module, "cpu", 1, &serial);
  printf("fused %.1e, compiled as it is %.1e\n",
         getDistance(&compiled, &reference), getDistance(&serial, &reference));
  CHECK(getDistance(&compiled, &reference) < 1e-5);
  CHECK(getDistance(&serial, &reference) < 1e-5);
  runModel(context, module, "exact", 1, &exact);
  checkExact(&exact, &reference);
  freeValues(&exact);
  freeValues(&reference);
  freeValues(&serial);
  freeValues(&compiled);
  parablockModuleDestroy(fused);
  parablockModuleDestroy(module);
  parablockContextDestroy(context);
  return 0;
}
