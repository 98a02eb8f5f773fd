/* object.c - one rank of a model, compiled into this program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   MODEL is the name of the object file. The file of the first argument holds,
   without anything between them, the inputs, the weights and the expected
   outputs, in the order of the header. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* As mpi.h declares them, which machines that run programs may lack. */
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);

#define JOIN(a, b) a##_##b
#define NAME(a, b) JOIN(a, b)
#define OF(name) NAME(MODEL, name)
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: expected %s\n", __LINE__, #condition);         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* The next tensor of the file. */
static void *readNext(FILE *file) {
  int64_t bytes = 0;
  CHECK(fread(&bytes, 8, 1, file) == 1);
  void *data = malloc((size_t)bytes);
  CHECK(fread(data, 1, (size_t)bytes, file) == (size_t)bytes);
  return data;
}

int main(int argc, char **argv) {
  CHECK(MPI_Init(&argc, &argv) == 0);
  CHECK(argc == 2 || argc == 3);
  FILE *file = fopen(argv[1], "rb");
  CHECK(file);
  const void *inputs[OF(num_inputs)], *weights[OF(num_weights)];
  for (int i = 0; i < OF(num_inputs); ++i)
    inputs[i] = readNext(file);
  for (int i = 0; i < OF(num_weights); ++i)
    weights[i] = readNext(file);
  const float *expected = readNext(file);
  fclose(file);

  const int64_t dims[] = {2, 16};
  const size_t count = 2 * 16 * 97;
  void *packed = aligned_alloc(64, (OF(packed_bytes)() + 64) & ~63ul);
  size_t bytes = OF(workspace_bytes)(dims, NULL);
  void *workspace = aligned_alloc(64, (bytes + 64) & ~63ul);
  float *output = malloc(count * sizeof(float));
  void *outputs[OF(num_outputs)] = {output};
  CHECK(OF(pack)(weights, packed, NULL) == 0);
  /* With another argument, ranks cannot divide these rows. */
  const int64_t odd[] = {2, 15};
  CHECK((OF(workspace_bytes)(odd, NULL) == SIZE_MAX) == (argc == 3));
  CHECK(argc == 2 || OF(main)(inputs, weights, packed, outputs, odd, workspace,
                              NULL) == 3);
  for (int run = 0; run < 3; ++run)
    CHECK(OF(main)(inputs, weights, packed, outputs, dims, workspace, NULL) ==
          0);
  double difference = 0, norm = 0;
  for (size_t i = 0; i < count; ++i) {
    difference += (output[i] - expected[i]) * (output[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  printf("rank %s of %s: error %.1e\n", getenv("OMPI_COMM_WORLD_RANK"),
         getenv("OMPI_COMM_WORLD_SIZE"), sqrt(difference / norm));
  CHECK(norm > 0 && sqrt(difference / norm) < 1e-5);
  free(packed);
  free(workspace);
  free(output);
  return MPI_Finalize();
}
