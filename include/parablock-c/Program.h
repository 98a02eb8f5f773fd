//===- Program.h - functions that run -----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_PROGRAM_H
#define PARABLOCK_C_PROGRAM_H

#include "parablock-c/Memory.h"
#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the caller, row-major without gaps; `type` in the words of
   ParablockTensorInfo. */
typedef struct ParablockTensor {
  void *data;
  const char *type;
  size_t rank;
  const int64_t *shape;
} ParablockTensor;

typedef struct ParablockProgramOptions {
  /* "cpu", "reference" or "emulate"; null for cpu. "exact" is the reference
     without roundings: floats are f64 there, whatever the signature says.
     "plan" has no code and runs nothing: it knows the segments, and the plan of
     memory, of cpu with a memory, of functions whose sizes are known. */
  const char *engine;
  /* Of cpu: a processor as --cpu= takes it; null for this one. */
  const char *cpu;
  /* Of emulate: "sm_80" or "sm_90a"; null for sm_90a. */
  const char *chip;
  /* 0 for as many as the machine has cores. */
  uint32_t threads;
  /* Of cpu: a folder that compiled code is kept in, for other programs and
     processes; an empty one for that of the environment (docs/design/Cpu.md),
     null for none. */
  const char *cache;
  /* Of cpu: what runs take their memory from, null for memory of the program's
     own. Where it is given, runs pack weights one by one as they come to them,
     and parablockProgramSetParameters packs none. */
  ParablockMemory *memory;
  /* Of cpu: where it is not 0, packed weights are kept beside code, also where
     PARABLOCK_WEIGHT_CACHE does not say how many (docs/design/Cpu.md). */
  int32_t keepWeights;
  /* Unless null, parameters to begin with, as parablockProgramSetParameters
     takes them. Cpu packs them while it compiles, or takes kept ones where
     `identity` is not null, as parablockProgramFindParameters does. */
  const ParablockTensor *parameters;
  size_t numParameters;
  const char *identity;
} ParablockProgramOptions;

typedef struct ParablockProgram ParablockProgram;

/* Compiles a function for an engine; the module stays as it is and may go.
   `options` may be null. */
PARABLOCK_API ParablockStatus parablockProgramCreate(
    ParablockModule *module, const char *function,
    const ParablockProgramOptions *options, ParablockProgram **program);
PARABLOCK_API void parablockProgramDestroy(ParablockProgram *program);

/* All parameters, in the order of the signature. Their memory has to stay as
   long as the program runs; weights are packed now, so call it again where
   values changed. */
PARABLOCK_API ParablockStatus parablockProgramSetParameters(
    ParablockProgram *program, const ParablockTensor *parameters, size_t count);

/* The same where packed weights of these parameters were kept for a program of
   the same code, in the folder of the options' `cache`, and sets `found` to 1;
   else to 0, and nothing has changed. `identity` is a text that is another one
   wherever a value of a parameter is; code is known beside it. Weights are kept
   where the options or PARABLOCK_WEIGHT_CACHE say so (docs/design/Cpu.md), by
   the cpu engine. */
PARABLOCK_API ParablockStatus parablockProgramFindParameters(
    ParablockProgram *program, const ParablockTensor *parameters, size_t count,
    const char *identity, int *found);

/* Keeps the packed weights of the parameters that are set, and have not changed
   since, for programs that look for them. */
PARABLOCK_API ParablockStatus
parablockProgramKeepParameters(ParablockProgram *program, const char *identity);

/* The shape of an output for inputs of these shapes; their data are not looked
   at. `shape` has room for `rank` sizes. Of the cpu engine alone where the
   output's shape depends on inputs. */
PARABLOCK_API ParablockStatus parablockProgramGetOutputShape(
    ParablockProgram *program, const ParablockTensor *inputs, size_t count,
    size_t output, size_t rank, int64_t *shape);

/* An object with the bytes that a run takes beside inputs, parameters and
   outputs, where inputs have these shapes: `arena_bytes` for what lies between
   launches, of which packed weights take `packed_bytes` at most at a time, and
   `scratch_bytes` for what all threads work in. Of programs with a memory. */
PARABLOCK_API ParablockStatus parablockProgramPlanMemory(
    ParablockProgram *program, const ParablockTensor *inputs, size_t count,
    char **json);

/* Computes all outputs into the caller's memory. That of an output may be the
   input's where it is a cache with new rows in it (`past_key.0` and `key.0`):
   the cpu engine then writes these alone, and copies nothing. */
PARABLOCK_API ParablockStatus parablockProgramRun(
    ParablockProgram *program, const ParablockTensor *inputs, size_t numInputs,
    const ParablockTensor *outputs, size_t numOutputs);

/* A run that is done in segments. Behind each some outputs are final, in the
   order that layers are computed in: gradients of the last layer come first.
   The bits are those of parablockProgramRun. Of the cpu engine alone. */
typedef struct ParablockRun ParablockRun;

/* A list of objects, one for each segment, in order: how many `launches` it is,
   by name the outputs that it `begins` to write and those that it `finishes`,
   and the inputs and parameters that it `leaves`, that is, reads last. */
PARABLOCK_API ParablockStatus
parablockProgramListSegments(ParablockProgram *program, char **json);

/* Begins a run, and packs the parameters that are given, which those of
   parablockProgramSetParameters have no part in. Memory of inputs and
   parameters has to stay, with its values, until a segment leaves it. A program
   may have several runs at a time; they go before it does. */
PARABLOCK_API ParablockStatus
parablockRunCreate(ParablockProgram *program, const ParablockTensor *inputs,
                   size_t numInputs, const ParablockTensor *parameters,
                   size_t numParameters, ParablockRun **run);

/* Does the next segment. `outputs` are those that it begins, in the order of
   the list; their memory has to stay until a segment finishes them. */
PARABLOCK_API ParablockStatus parablockRunProceed(
    ParablockRun *run, const ParablockTensor *outputs, size_t numOutputs);

/* Ends a run, at whatever segment. */
PARABLOCK_API void parablockRunDestroy(ParablockRun *run);

/* The fields engine, kernels, time_ms, compile_ms, peak_bytes and threads of
   block-run's JSON, of the latest run. */
PARABLOCK_API ParablockStatus parablockProgramReport(ParablockProgram *program,
                                                     char **json);

/* Programs of this process that looked for their code in such a folder, and
   found it or not. */
typedef struct ParablockCacheCounts {
  uint64_t hits, misses;
  /* The same of their packed weights. */
  uint64_t weightHits, weightMisses;
} ParablockCacheCounts;

PARABLOCK_API ParablockCacheCounts parablockGetCacheCounts(void);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_PROGRAM_H */
