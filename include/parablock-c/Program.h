//===- Program.h - compiled functions -----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_PROGRAM_H
#define PARABLOCK_C_PROGRAM_H

#include "parablock-c/Memory.h"
#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the caller, row-major without gaps; `type` as in
   ParablockTensorInfo. */
typedef struct ParablockTensor {
  void *data;
  const char *type;
  size_t rank;
  const int64_t *shape;
} ParablockTensor;

typedef struct ParablockProgramOptions {
  /* "cpu", "reference" or "emulate"; null for cpu. "exact" is the reference
     without roundings: floats are f64, whatever the signature. "plan" has no
     code and cannot run: it has the segments and the memory plan of cpu, with a
     memory, for functions of static sizes. */
  const char *engine;
  /* For cpu: a processor, as for --cpu=; null for this machine's. */
  const char *cpu;
  /* For emulate: "sm_80" or "sm_90a"; null for sm_90a. */
  const char *chip;
  /* 0 uses all cores. */
  uint32_t threads;
  /* For cpu: a folder in which compiled code is cached for other programs and
     processes; an empty one selects the environment's (docs/design/Cpu.md),
     null disables the cache. */
  const char *cache;
  /* For cpu: the memory of runs; null for memory of the program's own. If
     given, runs pack each weight before its first use, and
     parablockProgramSetParameters packs none. */
  ParablockMemory *memory;
  /* For cpu: not 0 to cache packed weights next to code, even if
     PARABLOCK_WEIGHT_CACHE sets no limit (docs/design/Cpu.md). */
  int32_t keepWeights;
  /* Unless null, initial parameters, as for parablockProgramSetParameters. Cpu
     packs them while it compiles, or, if `identity` is not null, uses cached
     ones, like parablockProgramFindParameters. */
  const ParablockTensor *parameters;
  size_t numParameters;
  const char *identity;
} ParablockProgramOptions;

typedef struct ParablockProgram ParablockProgram;

/* Compiles a function for an engine; the module is unchanged and may be
   destroyed. `options` may be null. */
PARABLOCK_API ParablockStatus parablockProgramCreate(
    ParablockModule *module, const char *function,
    const ParablockProgramOptions *options, ParablockProgram **program);
PARABLOCK_API void parablockProgramDestroy(ParablockProgram *program);

/* Sets all parameters, in the order of the signature. Their memory must stay
   valid while the program runs; weights are packed now, so call it again when
   values change. */
PARABLOCK_API ParablockStatus parablockProgramSetParameters(
    ParablockProgram *program, const ParablockTensor *parameters, size_t count);

/* Sets parameters whose packed weights are cached for the same code, in the
   folder of the options' `cache`, and sets `found` to 1; otherwise sets it to
   0, and changes nothing. `identity` is a text that differs whenever a value of
   a parameter differs; the code is identified separately. The cpu engine caches
   weights if the options or PARABLOCK_WEIGHT_CACHE enable it
   (docs/design/Cpu.md). */
PARABLOCK_API ParablockStatus parablockProgramFindParameters(
    ParablockProgram *program, const ParablockTensor *parameters, size_t count,
    const char *identity, int *found);

/* Stores the packed weights of the current parameters, which must not have
   changed, in the cache. */
PARABLOCK_API ParablockStatus
parablockProgramKeepParameters(ParablockProgram *program, const char *identity);

/* Returns the shape of an output for inputs of these shapes; their data are not
   read. `shape` has room for `rank` sizes. If the output's shape depends on
   inputs, only the cpu engine supports it. */
PARABLOCK_API ParablockStatus parablockProgramGetOutputShape(
    ParablockProgram *program, const ParablockTensor *inputs, size_t count,
    size_t output, size_t rank, int64_t *shape);

/* Returns an object with the bytes that a run allocates in addition to
   inputs, parameters and outputs, for inputs of these shapes: `arena_bytes`
   for values between launches, with at most `packed_bytes` of packed weights
   at a time, and `scratch_bytes` for scratch of all threads. For programs
   with a memory. */
PARABLOCK_API ParablockStatus parablockProgramPlanMemory(
    ParablockProgram *program, const ParablockTensor *inputs, size_t count,
    char **json);

/* Computes all outputs into the caller's memory. An output that is a cache with
   new rows may share the input's memory (`past_key.0` and `key.0`): the cpu
   engine then writes only the new rows, and copies nothing. */
PARABLOCK_API ParablockStatus parablockProgramRun(
    ParablockProgram *program, const ParablockTensor *inputs, size_t numInputs,
    const ParablockTensor *outputs, size_t numOutputs);

/* A run in segments. After each segment some outputs are final, in the order in
   which layers are computed: gradients of the last layer come first. Results
   equal those of parablockProgramRun bit for bit. Cpu engine only. */
typedef struct ParablockRun ParablockRun;

/* Returns a list of objects, one for each segment, in order: its number of
   `launches`, the names of the outputs that it `begins` to write and of those
   that it `finishes`, and of the inputs and parameters that it `leaves`, that
   is, reads last. */
PARABLOCK_API ParablockStatus
parablockProgramListSegments(ParablockProgram *program, char **json);

/* Begins a run, and packs the given parameters, independently of those of
   parablockProgramSetParameters. Memory and values of inputs and parameters
   must stay unchanged until a segment leaves them. A program may have several
   runs at a time; destroy them before the program. */
PARABLOCK_API ParablockStatus
parablockRunCreate(ParablockProgram *program, const ParablockTensor *inputs,
                   size_t numInputs, const ParablockTensor *parameters,
                   size_t numParameters, ParablockRun **run);

/* Runs the next segment. `outputs` are those that it begins, in the order of
   the list; their memory must stay valid until a segment finishes them. */
PARABLOCK_API ParablockStatus parablockRunProceed(
    ParablockRun *run, const ParablockTensor *outputs, size_t numOutputs);

/* Ends a run, at any segment. */
PARABLOCK_API void parablockRunDestroy(ParablockRun *run);

/* Returns the fields engine, kernels, time_ms, compile_ms, peak_bytes and
   threads of block-run's JSON, for the latest run. */
PARABLOCK_API ParablockStatus parablockProgramReport(ParablockProgram *program,
                                                     char **json);

/* Cache lookups of code by programs in this
   process. */
typedef struct ParablockCacheCounts {
  uint64_t hits, misses;
  /* Lookups of packed weights. */
  uint64_t weightHits, weightMisses;
} ParablockCacheCounts;

PARABLOCK_API ParablockCacheCounts parablockGetCacheCounts(void);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_PROGRAM_H */
