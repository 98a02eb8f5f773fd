/* bad-input.c - whatever is wrong is a status and a message.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Check.h"
#include "parablock-c/Judge.h"
#include "parablock-c/Program.h"

#include <stdlib.h>
#include <string.h>

static int diagnostics = 0;

static void see(const ParablockDiagnostic *diagnostic, void *userData) {
  CHECK(userData == &diagnostics);
  if (diagnostic->severity == ParablockError) {
    CHECK(strcmp(diagnostic->location.file, "broken") == 0);
    CHECK(diagnostic->location.line == 2);
    ++diagnostics;
  }
}

static int says(const ParablockContext *context, const char *part) {
  if (strstr(parablockContextGetError(context), part))
    return 1;
  fprintf(stderr, "said: %s\n", parablockContextGetError(context));
  return 0;
}

static void checkParsing(ParablockContext *context) {
  ParablockModule *module = NULL;
  const char *text = "module {\n  func.func @f( {\n}";
  parablockContextSetDiagnosticHandler(context, see, &diagnostics);
  CHECK(parablockModuleParse(context, text, strlen(text), "broken", &module) ==
        ParablockBadInput);
  CHECK(diagnostics == 1 && module == NULL);
  CHECK(says(context, "broken:2:"));
  parablockContextSetDiagnosticHandler(context, NULL, NULL);
  text = "func.func @f(%x: tensor<2xf32>) {\n  %0 = block.sdpaa %x\n}";
  CHECK(parablockModuleParse(context, text, strlen(text), "misspelt",
                             &module) == ParablockBadInput);
  CHECK(says(context, "misspelt:2:"));
  CHECK(says(context, "did you mean 'block.sdpa'?"));
  CHECK(parablockModuleLoad(context, "no such file", &module) ==
        ParablockBadInput);
  CHECK(says(context, "cannot open 'no such file'"));
  CHECK(parablockModuleLoad(context, NULL, &module) == ParablockBadInput);
  CHECK(says(context, "null"));
  CHECK(parablockModuleLoad(NULL, "x", &module) == ParablockBadInput);
  CHECK(parablockModuleParse(context, "MLïR\1\2", 7, "bytes", &module) ==
        ParablockBadInput);
}

static void checkPasses(ParablockContext *context, ParablockModule *module) {
  CHECK(parablockModuleRunPasses(module, "block-nonsense") ==
        ParablockBadInput);
  CHECK(says(context, "block-nonsense"));
  CHECK(parablockModuleRunPasses(module, "block-parallelize{blocks=99}") ==
        ParablockBadInput);
  CHECK(says(context, "99"));
  CHECK(parablockModuleRunPasses(module, "block-parallelize{norm=half}") ==
        ParablockBadInput);
  CHECK(says(context, "norm: expected separate, shared or shared-lossy, "
                      "got 'half'"));
  char *json = NULL;
  CHECK(parablockModuleReport(module, "toaster", &json) == ParablockBadInput);
  CHECK(says(context, "unknown chip 'toaster'"));
}

static void checkPrograms(ParablockContext *context, ParablockModule *module) {
  ParablockProgram *program = NULL;
  ParablockSignature *signature = NULL;
  CHECK(parablockModuleGetSignature(module, "nobody", &signature) ==
        ParablockBadInput);
  CHECK(says(context, "nobody"));
  ParablockProgramOptions options = {.engine = "abacus", .threads = 1};
  CHECK(parablockProgramCreate(module, "main", &options, &program) ==
        ParablockBadInput);
  CHECK(says(context, "unknown engine 'abacus'"));
  options.engine = "cpu";
  options.cpu = "z80";
  CHECK(parablockProgramCreate(module, "main", &options, &program) ==
        ParablockBadInput);
  CHECK(says(context, "unknown processor 'z80'"));

  options.cpu = NULL;
  options.keepWeights = 1;
  CHECK(parablockProgramCreate(module, "main", &options, &program) ==
        ParablockBadInput);
  CHECK(says(context, "keepWeights: expected it with the engine cpu, a cache, "
                      "and no memory"));
  options.keepWeights = 0;
  ParablockTensor parameter = {NULL, "f32", 0, NULL};
  options.parameters = &parameter;
  options.numParameters = 1;
  CHECK(parablockProgramCreate(module, "main", &options, &program) ==
        ParablockBadInput);
  CHECK(says(context, "parameters, got 1"));
  options.parameters = NULL;
  CHECK(parablockProgramCreate(module, "main", &options, &program) == 0);
  char *json = NULL;
  CHECK(parablockProgramReport(program, &json) == ParablockBadInput);
  int64_t ids[2] = {0, 0}, shape[] = {1, 2}, short_[] = {2};
  int64_t logitsShape[] = {1, 2, 97};
  float logits[2 * 97];
  ParablockTensor input = {ids, "i64", 2, shape};
  ParablockTensor output = {ids, "f32", 2, shape};
  CHECK(parablockProgramRun(program, &input, 0, &output, 1) != 0);
  CHECK(says(context, "expected 1 inputs, got 0"));
  CHECK(parablockProgramRun(program, &input, 1, &output, 1) != 0);
  CHECK(says(context, "tensor 'logits': expected shape"));
  input.type = "i32";
  CHECK(parablockProgramRun(program, &input, 1, &output, 1) != 0);
  CHECK(says(context, "tensor 'input_ids': expected i64, got i32"));
  input = (ParablockTensor){ids, "i64", 1, short_};
  CHECK(parablockProgramRun(program, &input, 1, &output, 1) != 0);
  CHECK(says(context, "expected shape [?, ?], got [2]"));
  CHECK(parablockProgramSetParameters(program, NULL, 3) != 0);
  CHECK(says(context, "parameters, got 0"));
  int isFound = 0;
  CHECK(parablockProgramFindParameters(program, NULL, 3, "text", &isFound) !=
        0);
  CHECK(says(context, "parameters, got 0"));
  CHECK(parablockProgramFindParameters(program, NULL, 3, NULL, &isFound) != 0);
  CHECK(says(context, "null"));
  CHECK(parablockProgramKeepParameters(program, "text") != 0);
  CHECK(says(context, "the program has no parameters yet"));

  input = (ParablockTensor){ids, "i64", 2, shape};
  output = (ParablockTensor){logits, "f32", 3, logitsShape};
  CHECK(parablockProgramRun(program, &input, 1, &output, 1) != 0);
  CHECK(says(context, "the program has no parameters yet"));
  CHECK(parablockProgramRun(program, NULL, 1, &output, 1) != 0);
  CHECK(says(context, "expected 1 inputs, got 0"));
  CHECK(parablockProgramRun(program, &input, 1, NULL, 1) != 0);
  CHECK(says(context, "expected 1 outputs, got 0"));
  CHECK(parablockProgramRun(NULL, &input, 1, &output, 1) != 0);
  CHECK(parablockProgramReport(program, NULL) != 0);
  CHECK(says(context, "null"));

  /* The shape of an output, from those of inputs. */
  int64_t found[3] = {0, 0, 0};
  input = (ParablockTensor){NULL, "i64", 2, shape};
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 3, found) == 0);
  CHECK(found[0] == 1 && found[1] == 2 && found[2] == 97);
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 2, found) != 0);
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 7, 3, found) != 0);

  /* Sizes that no memory has. */
  int64_t endless[] = {INT64_MAX / 2, 17},
          large[] = {(int64_t)1 << 40, 1 << 20};
  int64_t negative[] = {-1, 2}, none[] = {0, 2};
  input.shape = endless;
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 3, found) != 0);
  CHECK(says(context, "tensor 'input_ids': shape [4611686018427387903, 17] is "
                      "too large"));
  input.shape = large;
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 3, found) != 0);
  CHECK(says(context, "sizes are negative or too large: batch = 1099511627776 "
                      "seq = 1048576"));
  input.shape = negative;
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 3, found) != 0);
  CHECK(says(context, "expected shape [?, ?], got [-1, 2]"));
  input.shape = none;
  CHECK(parablockProgramGetOutputShape(program, &input, 1, 0, 3, found) != 0);
  CHECK(says(context, "expected shape [?, ?], got [0, 2]"));
  parablockProgramDestroy(program);

  options.threads = 1000000;
  CHECK(parablockProgramCreate(module, "main", &options, &program) != 0);
  CHECK(says(context, "expected at most 1024 threads, got 1000000"));
}

/* Numbers of a run that no expert fits, on each engine. */
static void checkExperts(ParablockContext *context) {
  static const char text[] =
      "func.func @main(%x: tensor<1x2x4xf32> {block.input = \"x\"}, "
      "%i: tensor<1x2x1xi64> {block.input = \"i\"}, "
      "%l: tensor<1x2x2xf32> {block.input = \"l\"}, "
      "%u: tensor<2x6x4xf32> {block.param = \"u\"}, "
      "%d: tensor<2x4x3xf32> {block.param = \"d\"}) -> "
      "(tensor<1x2x4xf32> {block.output = \"y\"}) {\n"
      "  %j, %w = block.route %l {form = #block.routing<chosen = 1, "
      "score = softmax>} : (tensor<1x2x2xf32>) -> "
      "(tensor<1x2x1xi64>, tensor<1x2x1xf32>)\n"
      "  %y = block.experts %x of %i by %w up %u down %d {form = "
      "#block.experts<activation = silu>} : tensor<1x2x4xf32>, "
      "tensor<1x2x1xi64>, tensor<2x6x4xf32>, tensor<2x4x3xf32>\n"
      "  return %y : tensor<1x2x4xf32>\n}";
  const char *engines[] = {"cpu", "exact"};
  ParablockModule *module = NULL;
  CHECK(parablockModuleParse(context, text, sizeof(text) - 1, "experts",
                             &module) == 0);
  for (int which = 0; which < 2; ++which) {
    /* The engine that is exact takes f64. */
    int isExact = which == 1;
    const char *type = isExact ? "f64" : "f32";
    double exact[48] = {0};
    float numbers[48] = {0}, nan = strtof("nan", NULL);
    void *zeros = isExact ? (void *)exact : (void *)numbers;
    double exactLogits[4] = {0}, result[8];
    float logits[4] = {0};
    int64_t indices[2] = {1, 5}, rows[] = {1, 2, 4}, slots[] = {1, 2, 1};
    int64_t two[] = {1, 2, 2}, up[] = {2, 6, 4}, down[] = {2, 4, 3};
    ParablockTensor parameters[] = {{zeros, type, 3, up},
                                    {zeros, type, 3, down}};
    ParablockTensor inputs[] = {
        {zeros, type, 3, rows},
        {indices, "i64", 3, slots},
        {isExact ? (void *)exactLogits : (void *)logits, type, 3, two}};
    ParablockTensor output = {result, type, 3, rows};
    ParablockProgramOptions options = {.engine = engines[which], .threads = 1};
    options.parameters = parameters;
    options.numParameters = 2;
    ParablockProgram *program = NULL;
    CHECK(parablockProgramCreate(module, "main", &options, &program) == 0);
    CHECK(parablockProgramRun(program, inputs, 3, &output, 1) != 0);
    CHECK(says(context, "expected indices to be in [0, 2), or larger with a "
                        "weight of 0, got 5 in slot 0 of row 1"));
    indices[1] = -1;
    CHECK(parablockProgramRun(program, inputs, 3, &output, 1) != 0);
    CHECK(says(context, "got -1 in slot 0 of row 1"));
    indices[1] = 0;
    CHECK(parablockProgramRun(program, inputs, 3, &output, 1) == 0);
    logits[3] = nan;
    exactLogits[3] = (double)nan;
    CHECK(parablockProgramRun(program, inputs, 3, &output, 1) != 0);
    CHECK(says(context, "expected logits without NaN, got one for expert 1 in "
                        "row 1"));
    /* An error is of one run alone. */
    logits[3] = 0;
    exactLogits[3] = 0;
    CHECK(parablockProgramRun(program, inputs, 3, &output, 1) == 0);
    parablockProgramDestroy(program);
  }
  parablockModuleDestroy(module);
}

/* Text that parsers would run out of stack on, and what they trust. */
static void checkHostile(ParablockContext *context, ParablockModule *module) {
  enum { Depth = 200000 };
  static const char piece[] = "\"builtin.module\"() ({";
  size_t length = sizeof(piece) - 1, size = 0;
  char *text = malloc(Depth * length), *bytes = NULL;
  ParablockModule *read = NULL;
  for (size_t i = 0; i < Depth; ++i)
    memcpy(text + i * length, piece, length);
  CHECK(parablockModuleParse(context, text, Depth * length, "deep", &read) ==
        ParablockBadInput);
  CHECK(says(context, "deep:1: expected at most 256 nested brackets"));
  memset(text, '(', Depth);
  text[Depth] = 0;
  CHECK(parablockModuleRunPasses(module, text) == ParablockBadInput);
  CHECK(says(context, "passes:1: expected at most 256 nested brackets"));
  free(text);
  CHECK(parablockModuleWriteBytecode(module, &bytes, &size) == 0);
  CHECK(parablockModuleParse(context, bytes, size, "bytes", &read) ==
        ParablockBadInput);
  CHECK(says(context, "bytes: bytecode is read where "
                      "parablockContextTrustBytecode"));
  parablockContextTrustBytecode(NULL);
  parablockContextTrustBytecode(context);
  CHECK(parablockModuleParse(context, bytes, size, "bytes", &read) == 0);
  parablockModuleDestroy(read);
  parablockFree(bytes);
}

static void checkNull(ParablockContext *context, ParablockModule *module) {
  char *text = NULL;
  size_t size = 0;
  ParablockProgram *program = NULL;
  CHECK(parablockModulePrint(module, NULL) == ParablockBadInput);
  CHECK(says(context, "null"));
  CHECK(parablockModulePrint(NULL, &text) == ParablockBadInput);
  CHECK(parablockModuleWriteBytecode(module, &text, NULL) == ParablockBadInput);
  CHECK(parablockModuleWriteBytecode(NULL, &text, &size) == ParablockBadInput);
  CHECK(parablockModuleClone(module, NULL) == ParablockBadInput);
  CHECK(parablockModuleRunPasses(module, NULL) == ParablockBadInput);
  CHECK(parablockModuleGetSignature(module, "main", NULL) == ParablockBadInput);
  CHECK(parablockProgramCreate(module, NULL, NULL, &program) != 0);
  CHECK(parablockProgramCreate(module, "main", NULL, NULL) != 0);
  CHECK(parablockProgramSetParameters(NULL, NULL, 0) != 0);
  CHECK(parablockProgramFindParameters(NULL, NULL, 0, "text", NULL) != 0);
  CHECK(parablockProgramKeepParameters(NULL, NULL) != 0);
  CHECK(strcmp(parablockContextGetError(NULL), "") == 0);
  parablockContextSetDiagnosticHandler(NULL, NULL, NULL);
  parablockContextSetRemarkHandler(NULL, NULL, NULL);
  parablockSignatureDestroy(NULL);
  parablockProgramDestroy(NULL);
  parablockModuleDestroy(NULL);
  parablockContextDestroy(NULL);
  parablockFree(NULL);
}

/* What cannot be judged, and a verdict on what can. */
static void checkJudging(ParablockContext *context) {
  const int64_t shape[] = {2, 3}, negative[] = {2, -3};
  const double exact[] = {1, -2, 3, -4, 5, -6}, lost[] = {1, -2, 3, 0, 5, -6};
  ParablockJudged judged = {"bf16", shape, 2, exact, exact, NULL};
  char *json = NULL;
  CHECK(parablockJudge(context, &judged, &json) == 0);
  CHECK(strstr(json, "\"pass\":true") && strstr(json, "\"tolerance\":0.01"));
  parablockFree(json);
  judged.found = lost;
  CHECK(parablockJudge(context, &judged, &json) == 0);
  CHECK(strstr(json, "\"pass\":false") && strstr(json, "of element 3"));
  parablockFree(json);
  judged.own = lost;
  CHECK(parablockJudge(context, &judged, &json) == 0);
  CHECK(!strstr(json, "\"tolerance\":0.01"));
  parablockFree(json);
  judged.found = NULL;
  CHECK(parablockJudge(context, &judged, &json) == ParablockBadInput);
  CHECK(says(context, "null"));
  CHECK(parablockJudge(context, NULL, &json) == ParablockBadInput);
  CHECK(parablockJudge(context, &judged, NULL) == ParablockBadInput);
  CHECK(parablockJudge(NULL, &judged, &json) == ParablockBadInput);
  judged.type = "f8";
  CHECK(parablockJudge(context, &judged, &json) == ParablockBadInput);
  CHECK(says(context, "unknown type 'f8'"));
  judged.type = "f32";
  judged.shape = negative;
  CHECK(parablockJudge(context, &judged, &json) == ParablockBadInput);
  CHECK(says(context, "expected sizes of at least 0, got [2, -3]"));
  CHECK(parablockGetBaseTolerance("f32") == 1e-5);
  CHECK(parablockGetBaseTolerance("i64") == 0);
  CHECK(parablockGetBaseTolerance("f8") == -1);
  CHECK(parablockGetBaseTolerance(NULL) == -1);
  CHECK(parablockGetFloorFactor() == 1.5);
}

/* Things may be destroyed in any order. */
static void checkOrder(const char *path) {
  ParablockContext *context = parablockContextCreate();
  ParablockModule *module = NULL, *copy = NULL;
  ParablockProgram *program = NULL;
  ParablockSignature *signature = NULL;
  parablockContextSetDiagnosticHandler(context, see, &diagnostics);
  CHECK(parablockModuleLoad(context, path, &module) == 0);
  CHECK(parablockProgramCreate(module, "main", NULL, &program) == 0);
  CHECK(parablockModuleGetSignature(module, "main", &signature) == 0);
  parablockContextDestroy(context);
  int before = diagnostics;
  CHECK(parablockModuleRunPasses(module, "block-parallelize{blocks=99}") != 0);
  CHECK(diagnostics == before);
  CHECK(parablockModuleClone(module, &copy) == 0);
  parablockModuleDestroy(module);
  CHECK(parablockModuleRunPasses(copy, "block-optimize") == 0);
  CHECK(parablockProgramSetParameters(program, NULL, 0) != 0);
  parablockModuleDestroy(copy);
  parablockProgramDestroy(program);
  CHECK(parablockSignatureGetNumInputs(signature) == 1);
  parablockSignatureDestroy(signature);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  ParablockContext *context = parablockContextCreate();
  CHECK(strcmp(parablockContextGetError(context), "") == 0);
  checkParsing(context);
  ParablockModule *module = NULL;
  CHECK(parablockModuleLoad(context, argv[1], &module) == 0);
  checkPasses(context, module);
  checkPrograms(context, module);
  checkExperts(context);
  checkHostile(context, module);
  checkNull(context, module);
  checkJudging(context);
  parablockModuleDestroy(module);
  parablockContextDestroy(context);
  checkOrder(argv[1]);
  puts("every mistake was told");
  return 0;
}
