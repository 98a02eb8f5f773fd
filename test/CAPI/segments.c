/* segments.c - a step of training, at once and segment by segment.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Model.h"

/* What a program takes and gives. */
typedef struct Call {
  ParablockSignature *signature;
  Values inputs, parameters, outputs;
} Call;

static void makeCall(ParablockModule *module, Call *call) {
  unsigned state = 1;
  CHECK(parablockModuleGetSignature(module, "main_step", &call->signature) ==
        0);
  for (size_t i = 0; i < parablockSignatureGetNumInputs(call->signature); ++i)
    addTensor(&call->inputs, parablockSignatureGetInput(call->signature, i),
              &state, 0);
  for (size_t i = 0; i < parablockSignatureGetNumParameters(call->signature);
       ++i)
    addTensor(&call->parameters,
              parablockSignatureGetParameter(call->signature, i), &state, 0);
  for (size_t i = 0; i < parablockSignatureGetNumOutputs(call->signature); ++i)
    addTensor(&call->outputs, parablockSignatureGetOutput(call->signature, i),
              &state, 0);
}

static void freeCall(Call *call) {
  freeValues(&call->inputs);
  freeValues(&call->parameters);
  freeValues(&call->outputs);
  parablockSignatureDestroy(call->signature);
}

static ParablockTensor findOutput(const Call *call, const char *name,
                                  size_t length) {
  for (size_t i = 0; i < call->outputs.count; ++i) {
    const char *known = parablockSignatureGetOutput(call->signature, i)->name;
    if (strlen(known) == length && strncmp(known, name, length) == 0)
      return call->outputs.tensors[i];
  }
  CHECK(!"an output of that name");
  return call->outputs.tensors[0];
}

/* The outputs that the segment at `*json` begins; `*json` goes behind it. */
static size_t readBegun(const Call *call, const char **json,
                        ParablockTensor *begun) {
  size_t count = 0;
  const char *at = strstr(*json, "\"begins\"");
  if (!at)
    return SIZE_MAX;
  at += strlen("\"begins\"");
  const char *end = strchr(at, ']');
  for (const char *quote = strchr(at, '"'); quote && quote < end;) {
    const char *close = strchr(quote + 1, '"');
    begun[count++] = findOutput(call, quote + 1, (size_t)(close - quote - 1));
    quote = strchr(close + 1, '"');
  }
  *json = end;
  return count;
}

static void checkRefusals(ParablockContext *context, ParablockModule *module,
                          ParablockProgram *program, const Call *call) {
  ParablockRun *run = NULL;
  char *json = NULL;
  CHECK(parablockProgramListSegments(program, NULL) != 0);
  CHECK(parablockProgramListSegments(NULL, &json) != 0);
  CHECK(parablockRunCreate(program, call->inputs.tensors, 1,
                           call->parameters.tensors, call->parameters.count,
                           &run) != 0);
  CHECK(strstr(parablockContextGetError(context), "inputs, got 1"));
  CHECK(parablockRunCreate(program, call->inputs.tensors, call->inputs.count,
                           NULL, 0, &run) != 0);
  CHECK(strstr(parablockContextGetError(context), "parameters, got 0"));
  CHECK(parablockRunCreate(program, call->inputs.tensors, call->inputs.count,
                           call->parameters.tensors, call->parameters.count,
                           NULL) != 0);
  CHECK(run == NULL && parablockRunProceed(NULL, NULL, 0) != 0);
  parablockRunDestroy(NULL);

  ParablockProgramOptions options = {.engine = "reference", .threads = 1};
  ParablockProgram *other = NULL;
  CHECK(parablockProgramCreate(module, "main_step", &options, &other) == 0);
  CHECK(parablockRunCreate(other, call->inputs.tensors, call->inputs.count,
                           call->parameters.tensors, call->parameters.count,
                           &run) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "the engine has no segments of a run: expected cpu"));
  parablockProgramDestroy(other);
}

/* The number behind `key` in the last object of `json` that has one. */
static size_t readNumber(const char *json, const char *key) {
  const char *found = NULL;
  for (const char *at = json; (at = strstr(at, key)); ++at)
    found = at;
  CHECK(found != NULL);
  return found ? strtoull(strchr(found, ':') + 1, NULL, 10) : 0;
}

/* What is taken is what the plan says, and gives the same bits. */
static void checkMemory(ParablockContext *context, ParablockModule *module,
                        const Call *call, const Call *whole) {
  ParablockMemory *memory = parablockMemoryCreate();
  ParablockProgramOptions options = {
      .engine = "reference", .threads = 1, .memory = memory};
  ParablockProgram *program = NULL, *second = NULL;
  CHECK(parablockProgramCreate(module, "main_step", &options, &program) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "memory: expected it with the engine cpu, got 'reference'"));
  options.engine = "cpu";
  options.threads = 2;
  CHECK(parablockProgramCreate(module, "main_step", &options, &program) == 0);
  CHECK(parablockProgramCreate(module, "main_step", &options, &second) == 0);
  parablockMemoryForgetPeak(memory);
  for (ParablockProgram **each = &program; each;
       each = each == &program ? &second : NULL) {
    CHECK(parablockProgramSetParameters(*each, call->parameters.tensors,
                                        call->parameters.count) == 0);
    CHECK(parablockProgramRun(*each, call->inputs.tensors, call->inputs.count,
                              call->outputs.tensors, call->outputs.count) == 0);
  }
  for (size_t i = 0; i < call->outputs.count; ++i)
    CHECK(memcmp(call->outputs.tensors[i].data, whole->outputs.tensors[i].data,
                 call->outputs.elements[i] * sizeof(float)) == 0);

  char *plan = NULL;
  CHECK(parablockProgramPlanMemory(program, call->inputs.tensors,
                                   call->inputs.count, NULL) != 0);
  CHECK(parablockProgramPlanMemory(program, call->inputs.tensors, 0, &plan) !=
        0);
  CHECK(parablockProgramPlanMemory(program, call->inputs.tensors,
                                   call->inputs.count, &plan) == 0);
  CHECK(parablockMemoryAllocate(memory, "arena", 8) == NULL);
  void *saved = parablockMemoryAllocate(memory, "saved", 65);
  CHECK(saved != NULL && ((size_t)saved & 63) == 0);
  char *taken = parablockMemoryReport(memory);
  /* One arena for both programs, which weights are packed into. */
  CHECK(readNumber(plan, "\"arena_bytes\"") ==
        readNumber(taken, "\"arena_bytes\""));
  CHECK(readNumber(plan, "\"scratch_bytes\"") ==
        readNumber(taken, "\"scratch_bytes\""));
  CHECK(readNumber(plan, "\"packed_bytes\"") > 0);
  CHECK(readNumber(taken, "\"saved_bytes\"") == parablockMemoryRound(65));
  CHECK(parablockMemoryRound(65) == 128);
  parablockMemoryFree(memory, saved);
  parablockMemoryFree(memory, NULL);
  parablockMemoryFree(NULL, NULL);
  parablockMemoryDestroy(memory);
  parablockMemoryDestroy(NULL);
  parablockProgramDestroy(program);
  parablockProgramDestroy(second);
  parablockFree(plan);
  parablockFree(taken);
}

/* The plan alone is that of the code. */
static void checkPlan(ParablockContext *context, ParablockModule *module,
                      const Call *call) {
  ParablockMemory *memory = parablockMemoryCreate();
  ParablockProgramOptions options = {
      .engine = "cpu", .threads = 2, .memory = memory};
  ParablockProgram *code = NULL, *plan = NULL;
  CHECK(parablockProgramCreate(module, "main_step", &options, &code) == 0);
  options.engine = "plan";
  CHECK(parablockProgramCreate(module, "main_step", &options, &plan) != 0);
  options.memory = NULL;
  CHECK(parablockProgramCreate(module, "main_step", &options, &plan) == 0);
  char *texts[4] = {NULL};
  for (int i = 0; i < 2; ++i) {
    ParablockProgram *each = i ? plan : code;
    CHECK(parablockProgramPlanMemory(each, call->inputs.tensors,
                                     call->inputs.count, &texts[i]) == 0);
    CHECK(parablockProgramListSegments(each, &texts[2 + i]) == 0);
  }
  CHECK(strcmp(texts[0], texts[1]) == 0 && strcmp(texts[2], texts[3]) == 0);
  CHECK(readNumber(texts[1], "\"arena_bytes\"") > 0);
  CHECK(parablockProgramSetParameters(plan, call->parameters.tensors,
                                      call->parameters.count) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "the engine plan has no code that runs: expected cpu"));
  for (int i = 0; i < 4; ++i)
    parablockFree(texts[i]);
  parablockProgramDestroy(plan);
  parablockProgramDestroy(code);
  parablockMemoryDestroy(memory);
}

static void checkCheckpoints(ParablockContext *context,
                             ParablockModule *module) {
  char *json = NULL;
  CHECK(parablockModuleListCheckpoints(NULL, 4, &json) != 0);
  CHECK(parablockModuleListCheckpoints(module, 4, NULL) != 0);
  CHECK(parablockModuleListCheckpoints(module, 1, &json) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "expected at least 2 checkpoints, got 1"));
  CHECK(parablockModuleListCheckpoints(module, 4, &json) == 0);
  CHECK(strstr(json, "\"layers\": \"h.0#0:all,h.1#1:all\""));
  CHECK(strstr(json, "\"layers\": \"h.0#0:nothing,h.1#1:nothing\""));
  CHECK(readNumber(json, "\"recompute_flops\"") > 0);
  parablockFree(json);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  ParablockContext *context = parablockContextCreate();
  ParablockModule *module = NULL;
  ParablockProgram *program = NULL;
  Call whole = {0}, parts = {0};
  CHECK(parablockModuleLoad(context, argv[1], &module) == 0);
  makeCall(module, &whole);
  makeCall(module, &parts);
  ParablockProgramOptions options = {.engine = "cpu", .threads = 2};
  CHECK(parablockProgramCreate(module, "main_step", &options, &program) == 0);
  checkRefusals(context, module, program, &parts);
  checkPlan(context, module, &parts);
  checkCheckpoints(context, module);

  CHECK(parablockProgramSetParameters(program, whole.parameters.tensors,
                                      whole.parameters.count) == 0);
  CHECK(parablockProgramRun(program, whole.inputs.tensors, whole.inputs.count,
                            whole.outputs.tensors, whole.outputs.count) == 0);

  char *json = NULL;
  CHECK(parablockProgramListSegments(program, &json) == 0);
  /* One run is left at its first segment; another goes the whole way. */
  ParablockRun *left = NULL, *run = NULL;
  for (ParablockRun **each = &left; each; each = each == &left ? &run : NULL)
    CHECK(parablockRunCreate(program, parts.inputs.tensors, parts.inputs.count,
                             parts.parameters.tensors, parts.parameters.count,
                             each) == 0);
  const char *rest = json;
  ParablockTensor begun[maxTensors];
  size_t segments = 0, outputs = 0;
  for (size_t count; (count = readBegun(&parts, &rest, begun)) != SIZE_MAX;
       ++segments) {
    CHECK(parablockRunProceed(run, begun, count + 1) != 0);
    CHECK(strstr(parablockContextGetError(context), " outputs, got "));
    if (segments == 0)
      CHECK(parablockRunProceed(left, begun, count) == 0);
    CHECK(parablockRunProceed(run, begun, count) == 0);
    outputs += count;
  }
  CHECK(parablockRunProceed(run, begun, 0) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "segments of the run are done"));
  parablockRunDestroy(left);
  parablockRunDestroy(run);

  CHECK(outputs == parts.outputs.count);
  for (size_t i = 0; i < outputs; ++i)
    CHECK(memcmp(whole.outputs.tensors[i].data, parts.outputs.tensors[i].data,
                 whole.outputs.elements[i] * sizeof(float)) == 0);
  printf("%zu outputs in %zu segments\n", outputs, segments);
  parablockFree(json);
  CHECK(parablockProgramPlanMemory(program, parts.inputs.tensors,
                                   parts.inputs.count, &json) != 0);
  CHECK(strstr(parablockContextGetError(context),
               "expected a program with a memory"));
  checkMemory(context, module, &parts, &whole);
  freeCall(&whole);
  freeCall(&parts);
  parablockProgramDestroy(program);
  parablockModuleDestroy(module);
  parablockContextDestroy(context);
  return 0;
}
