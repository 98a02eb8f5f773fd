//===- DriverAPI.h - declarations of the CUDA driver ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions of the CUDA driver API that the launcher calls, with the types
// and numbers they need, so that no header of CUDA is needed to build. One list
// serves the launcher, which looks them up, and the driver for tests, which
// defines them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_DRIVERAPI_H
#define PARABLOCK_LAUNCH_DRIVERAPI_H

#include <cstddef>
#include <cstdint>

namespace parablock::cuda {

using Result = int;
using Device = int;
using Context = struct ContextObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;
using Stream = struct StreamObject *;
using Graph = struct GraphObject *;
using GraphExec = struct GraphExecObject *;
using Event = struct EventObject *;
using Pointer = uint64_t;

enum : Result {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidImage = 200,
  InvalidContext = 201,
  UnsupportedPtxVersion = 222,
  NotFound = 500,
  NotReady = 600,
  LaunchFailed = 719,
  StreamCaptureUnsupported = 900,
  StreamCaptureUnjoined = 904,
  Unknown = 999
};

enum DeviceAttribute : int {
  MultiprocessorCount = 16,
  MaxSharedBytes = 97,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76
};
enum FunctionAttribute : int {
  MaxDynamicSharedBytes = 8,
  /// In percent of a multiprocessor's maximum; the rest is used as cache.
  PreferredSharedCarveout = 9
};
enum StreamFlags : unsigned { NonBlocking = 1 };
enum EventFlags : unsigned { DisableTiming = 2 };
enum CaptureMode : int { ThreadLocal = 1 };
enum CaptureStatus : int { NotCaptured = 0, Captured = 1 };
enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBytes = 6 };

enum TensorMapType : int {
  MapUint8 = 0,
  MapUint16 = 1,
  MapInt32 = 3,
  MapInt64 = 5,
  MapFloat16 = 6,
  MapFloat32 = 7,
  MapFloat64 = 8,
  MapBfloat16 = 9
};
enum : int {
  InterleaveNone = 0,
  Swizzle128 = 3,
  PromotionL2Bytes256 = 3,
  FillZeros = 0
};

/// The driver requires 64 bytes of alignment, and 128 since CUDA 13.
struct alignas(128) TensorMap {
  unsigned char bytes[128];
};

/// One attribute of a launch; the driver's value is a union of 64 bytes.
struct alignas(8) LaunchAttribute {
  enum Id : int { ProgrammaticStreamSerialization = 6 };
  Id id;
  char padding[4];
  int value;
  char rest[60];
};

struct KernelLaunch {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// Copies a box of bytes within device memory: CUDA_MEMCPY2D.
struct BoxCopy {
  /// Both ends are device memory.
  enum : int { DeviceMemory = 2 };
  struct End {
    size_t xInBytes = 0, y = 0;
    int memoryType = DeviceMemory;
    void *host = nullptr;
    Pointer device = 0;
    void *array = nullptr;
    size_t pitch = 0;
  };
  End source, target;
  size_t widthInBytes = 0, height = 0;
};

/// X(name here, symbol, parameters). Symbols have the versions that the headers
/// of CUDA 12 and 13 map the plain names to.
#define PARABLOCK_DRIVER_FUNCTIONS(X)                                          \
  X(init, cuInit, (unsigned flags))                                            \
  X(getErrorName, cuGetErrorName, (Result result, const char **text))          \
  X(getDeviceCount, cuDeviceGetCount, (int *count))                            \
  X(getDevice, cuDeviceGet, (Device * device, int ordinal))                    \
  X(getDeviceName, cuDeviceGetName, (char *name, int size, Device device))     \
  X(getDeviceAttribute, cuDeviceGetAttribute,                                  \
    (int *value, DeviceAttribute attribute, Device device))                    \
  X(retainContext, cuDevicePrimaryCtxRetain,                                   \
    (Context * context, Device device))                                        \
  X(releaseContext, cuDevicePrimaryCtxRelease_v2, (Device device))             \
  X(pushContext, cuCtxPushCurrent_v2, (Context context))                       \
  X(popContext, cuCtxPopCurrent_v2, (Context * context))                       \
  X(loadModule, cuModuleLoadDataEx,                                            \
    (Module * module, const void *image, unsigned numOptions,                  \
     JitOption *options, void **values))                                       \
  X(unloadModule, cuModuleUnload, (Module module))                             \
  X(getFunction, cuModuleGetFunction,                                          \
    (Function * function, Module module, const char *name))                    \
  X(setFunctionAttribute, cuFuncSetAttribute,                                  \
    (Function function, FunctionAttribute attribute, int value))               \
  X(allocate, cuMemAlloc_v2, (Pointer * pointer, size_t bytes))                \
  X(release, cuMemFree_v2, (Pointer pointer))                                  \
  X(getMemoryInfo, cuMemGetInfo_v2, (size_t *available, size_t *total))        \
  X(upload, cuMemcpyHtoDAsync_v2,                                              \
    (Pointer target, const void *source, size_t bytes, Stream stream))         \
  X(download, cuMemcpyDtoHAsync_v2,                                            \
    (void *target, Pointer source, size_t bytes, Stream stream))               \
  X(copy, cuMemcpyDtoDAsync_v2,                                                \
    (Pointer target, Pointer source, size_t bytes, Stream stream))             \
  X(copyBox, cuMemcpy2DAsync_v2, (const BoxCopy *box, Stream stream))          \
  X(fill, cuMemsetD8Async,                                                     \
    (Pointer target, unsigned char value, size_t bytes, Stream stream))        \
  X(allocateHost, cuMemAllocHost_v2, (void **pointer, size_t bytes))           \
  X(releaseHost, cuMemFreeHost, (void *pointer))                               \
  X(createEvent, cuEventCreate, (Event * event, unsigned flags))               \
  X(recordEvent, cuEventRecord, (Event event, Stream stream))                  \
  X(waitForEvent, cuEventSynchronize, (Event event))                           \
  X(awaitEvent, cuStreamWaitEvent,                                             \
    (Stream stream, Event event, unsigned flags))                              \
  X(destroyEvent, cuEventDestroy_v2, (Event event))                            \
  X(createStream, cuStreamCreate, (Stream * stream, unsigned flags))           \
  X(destroyStream, cuStreamDestroy_v2, (Stream stream))                        \
  X(waitForStream, cuStreamSynchronize, (Stream stream))                       \
  X(queryStream, cuStreamQuery, (Stream stream))                               \
  X(beginCapture, cuStreamBeginCapture_v2, (Stream stream, CaptureMode mode))  \
  X(getCaptureStatus, cuStreamIsCapturing,                                     \
    (Stream stream, CaptureStatus * status))                                   \
  X(endCapture, cuStreamEndCapture, (Stream stream, Graph * graph))            \
  X(instantiateGraph, cuGraphInstantiateWithFlags,                             \
    (GraphExec * exec, Graph graph, unsigned long long flags))                 \
  X(launchGraph, cuGraphLaunch, (GraphExec exec, Stream stream))               \
  X(destroyGraph, cuGraphDestroy, (Graph graph))                               \
  X(destroyGraphExec, cuGraphExecDestroy, (GraphExec exec))                    \
  X(launchKernel, cuLaunchKernelEx,                                            \
    (const KernelLaunch *config, Function function, void **parameters,         \
     void **extra))                                                            \
  X(encodeTensorMap, cuTensorMapEncodeTiled,                                   \
    (TensorMap * map, int type, unsigned rank, Pointer address,                \
     const uint64_t *dims, const uint64_t *strides, const unsigned *box,       \
     const unsigned *elementStrides, int interleave, int swizzle,              \
     int promotion, int fill))

/// The name of an optional function of stand-ins for tests, which NVIDIA's
/// driver lacks. The launcher calls it with the path of a package before it
/// loads a module of that package. A stand-in that cannot run PTX or machine
/// code finds another form of the code there.
inline constexpr char notePackageSymbol[] = "parablockNotePackage";
using NotePackage = void(const char *path);

} // namespace parablock::cuda

#endif // PARABLOCK_LAUNCH_DRIVERAPI_H
