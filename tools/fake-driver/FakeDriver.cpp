//===- FakeDriver.cpp - driver entry points -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "parablock/Judges/Emulator/TensorMap.h"

#include <cstring>

using namespace parablock;
using namespace parablock::cuda;
using fake::FakeDevice;
using fake::FakeFunction;
using fake::FakeModule;
using fake::FakeStream;

// The launcher's own list of them: one that is missing here does not link.
extern "C" {
#define X(name, symbol, parameters)                                            \
  __attribute__((visibility("default"))) Result symbol parameters;
PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
__attribute__((visibility("default"))) NotePackage parablockNotePackage;
}

namespace {
struct FakeGraph {
  std::vector<fake::Work> work;
};
} // namespace

template <typename Made, typename Handle> static Made *unwrap(Handle handle) {
  return reinterpret_cast<Made *>(handle);
}

/// The default stream, which runs at once, has no handle or this one.
static FakeStream *getStream(Stream stream) {
  const auto legacy = reinterpret_cast<Stream>(uintptr_t{1});
  return stream == legacy ? nullptr : unwrap<FakeStream>(stream);
}

static FakeDevice &device() { return FakeDevice::get(); }

//===----------------------------------------------------------------------===//
// Device and context
//===----------------------------------------------------------------------===//

Result cuInit(unsigned flags) { return device().exists() ? Success : NoDevice; }

Result cuGetErrorName(Result result, const char **text) {
  switch (result) {
  case Success:
    *text = "CUDA_SUCCESS";
    return Success;
  case InvalidValue:
    *text = "CUDA_ERROR_INVALID_VALUE";
    return Success;
  case OutOfMemory:
    *text = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  case NoDevice:
    *text = "CUDA_ERROR_NO_DEVICE";
    return Success;
  case NotReady:
    *text = "CUDA_ERROR_NOT_READY";
    return Success;
  case InvalidImage:
    *text = "CUDA_ERROR_INVALID_IMAGE";
    return Success;
  case NotFound:
    *text = "CUDA_ERROR_NOT_FOUND";
    return Success;
  case LaunchFailed:
    *text = "CUDA_ERROR_LAUNCH_FAILED";
    return Success;
  case StreamCaptureUnsupported:
    *text = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
    return Success;
  default:
    *text = nullptr;
    return InvalidValue;
  }
}

Result cuDeviceGetCount(int *count) {
  *count = 1;
  return Success;
}

Result cuDeviceGet(Device *made, int ordinal) {
  *made = ordinal;
  return ordinal == 0 ? Success : InvalidValue;
}

Result cuDeviceGetName(char *name, int size, Device) {
  std::strncpy(name, "emulator", static_cast<size_t>(size));
  return Success;
}

Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, Device) {
  bool isHopper = device().chip == "sm_90a";
  switch (attribute) {
  case ComputeCapabilityMajor:
    *value = isHopper ? 9 : 8;
    return Success;
  case ComputeCapabilityMinor:
    *value = 0;
    return Success;
  case MaxSharedBytes:
    *value = (isHopper ? 227 : 163) * 1024;
    return Success;
  case MultiprocessorCount:
    *value = device().multiprocessors;
    return Success;
  }
  return InvalidValue;
}

Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  *context = reinterpret_cast<Context>(&device());
  return Success;
}

Result cuDevicePrimaryCtxRelease_v2(Device) { return Success; }
Result cuCtxPushCurrent_v2(Context) { return Success; }
Result cuCtxPopCurrent_v2(Context *) { return Success; }

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

void parablockNotePackage(const char *path) { device().notePackage(path); }

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned,
                          JitOption *, void **) {
  std::unique_ptr<FakeModule> made;
  if (Result result = device().loadModule(image, made))
    return result;
  *module = reinterpret_cast<Module>(made.release());
  return Success;
}

Result cuModuleUnload(Module module) {
  delete unwrap<FakeModule>(module);
  return Success;
}

Result cuModuleGetFunction(Function *function, Module module,
                           const char *name) {
  auto &functions = unwrap<FakeModule>(module)->functions;
  auto found = functions.find(name);
  if (found == functions.end())
    return NotFound;
  *function = reinterpret_cast<Function>(&found->second);
  return Success;
}

Result cuFuncSetAttribute(Function function, FunctionAttribute attribute,
                          int value) {
  if (attribute == MaxDynamicSharedBytes) {
    unwrap<FakeFunction>(function)->maxDynamicBytes =
        static_cast<uint32_t>(value);
    return Success;
  }
  if (attribute != PreferredSharedCarveout || value < 0 || value > 100)
    return InvalidValue;
  device().count("carve-outs");
  return Success;
}

Result cuLaunchKernelEx(const KernelLaunch *config, Function handle,
                        void **parameters, void **) {
  const FakeFunction &function = *unwrap<FakeFunction>(handle);
  unsigned gridX = config->gridX, blockX = config->blockX;
  unsigned sharedBytes = config->sharedBytes;
  bool fits = config->gridY == 1 && config->gridZ == 1 && config->blockY == 1 &&
              config->blockZ == 1 && blockX == function.threads &&
              gridX % function.cluster == 0 &&
              sharedBytes <= function.maxDynamicBytes &&
              config->numAttributes <= 1;
  if (!fits)
    return InvalidValue;
  if (config->numAttributes == 1) {
    const LaunchAttribute &attribute = *config->attributes;
    // Code that does not wait would read memory that is not yet written.
    if (attribute.id != LaunchAttribute::ProgrammaticStreamSerialization ||
        attribute.value != 1 || !function.waits)
      return InvalidValue;
    auto *stream = getStream(config->stream);
    if (stream && stream->isCapturing && !device().capturesProgrammatic)
      return StreamCaptureUnsupported;
    device().count("programmatic launches");
  }
  // Parameters are read now, not when the kernel runs.
  std::vector<KernelArgument> arguments;
  for (size_t i = 0; i < function.parameterBytes.size(); ++i)
    arguments.emplace_back(parameters[i], function.parameterBytes[i]);
  bool isEarly = config->numAttributes == 1;
  return device().enqueue(getStream(config->stream), [=] {
    return device().launch(function, gridX, blockX, sharedBytes, arguments,
                           isEarly);
  });
}

Result cuTensorMapEncodeTiled(TensorMap *map, int type, unsigned rank,
                              Pointer address, const uint64_t *dims,
                              const uint64_t *strides, const unsigned *box,
                              const unsigned *elementStrides, int interleave,
                              int swizzle, int, int) {
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0 ||
      interleave != InterleaveNone)
    return InvalidValue;
  EmulatedTensorMap made;
  if (const char *fault = encodeTensorMap(
          made, static_cast<parablock::TensorMapType>(type), rank,
          reinterpret_cast<const void *>(address), dims, strides, box,
          elementStrides, static_cast<TensorMapSwizzle>(swizzle)))
    return device().tell(llvm::createStringError(fault));
  std::memcpy(map, &made, sizeof(made));
  device().count("tensor maps");
  return Success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  return device().allocate(pointer, bytes);
}

Result cuMemFree_v2(Pointer pointer) { return device().release(pointer); }

Result cuMemGetInfo_v2(size_t *available, size_t *total) {
  *total = device().getCapacity();
  *available = *total - device().getUsed();
  return Success;
}

Result cuMemcpyHtoDAsync_v2(Pointer target, const void *source, size_t bytes,
                            Stream stream) {
  return device().enqueue(getStream(stream), [=] {
    return device().upload(target, source, bytes);
  });
}

Result cuMemcpyDtoHAsync_v2(void *target, Pointer source, size_t bytes,
                            Stream stream) {
  return device().enqueue(getStream(stream), [=] {
    return device().download(target, source, bytes);
  });
}

/// A device's memory is the host's here.
static Result copyOnDevice(Pointer target, Pointer source, size_t bytes) {
  return device().upload(target, reinterpret_cast<const void *>(source), bytes);
}

Result cuMemcpyDtoDAsync_v2(Pointer target, Pointer source, size_t bytes,
                            Stream stream) {
  return device().enqueue(getStream(stream),
                          [=] { return copyOnDevice(target, source, bytes); });
}

Result cuMemcpy2DAsync_v2(const BoxCopy *box, Stream stream) {
  const BoxCopy::End &source = box->source, &target = box->target;
  if (source.memoryType != BoxCopy::DeviceMemory ||
      target.memoryType != BoxCopy::DeviceMemory ||
      source.pitch < box->widthInBytes || target.pitch < box->widthInBytes)
    return InvalidValue;
  device().count("box copies");
  return device().enqueue(getStream(stream), [box = *box] {
    for (size_t row = 0; row < box.height; ++row)
      if (Result result = copyOnDevice(
              box.target.device + row * box.target.pitch,
              box.source.device + row * box.source.pitch, box.widthInBytes))
        return result;
    return Result(Success);
  });
}

Result cuMemsetD8Async(Pointer target, unsigned char value, size_t bytes,
                       Stream stream) {
  return device().enqueue(getStream(stream),
                          [=] { return device().fill(target, value, bytes); });
}

//===----------------------------------------------------------------------===//
// Streams and graphs
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned) {
  *stream = reinterpret_cast<Stream>(new FakeStream);
  return Success;
}

Result cuStreamDestroy_v2(Stream stream) {
  delete unwrap<FakeStream>(stream);
  return Success;
}

Result cuStreamSynchronize(Stream stream) {
  FakeStream *own = getStream(stream);
  if (!own)
    return Success;
  return own->isCapturing ? StreamCaptureUnsupported : own->wait();
}

Result cuStreamQuery(Stream stream) {
  FakeStream *own = getStream(stream);
  if (!own)
    return Success;
  return own->isCapturing ? StreamCaptureUnsupported : own->query();
}

Result cuStreamBeginCapture_v2(Stream stream, CaptureMode) {
  FakeStream *own = getStream(stream);
  if (!own || own->isCapturing)
    return InvalidValue;
  own->isCapturing = true;
  return Success;
}

Result cuStreamIsCapturing(Stream stream, CaptureStatus *status) {
  FakeStream *own = getStream(stream);
  *status = own && own->isCapturing ? Captured : NotCaptured;
  return Success;
}

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  FakeStream *own = getStream(stream);
  if (!own || !own->isCapturing)
    return InvalidValue;
  own->isCapturing = false;
  *graph = reinterpret_cast<Graph>(new FakeGraph{std::move(own->captured)});
  own->captured.clear();
  return Success;
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                   unsigned long long) {
  *exec = reinterpret_cast<GraphExec>(new FakeGraph(*unwrap<FakeGraph>(graph)));
  return Success;
}

Result cuGraphLaunch(GraphExec exec, Stream stream) {
  if (FakeStream *own = getStream(stream); own && own->isCapturing)
    return StreamCaptureUnsupported;
  device().count("graph launches");
  // The graph may be destroyed while it runs.
  return device().enqueue(getStream(stream),
                          [graph = *unwrap<FakeGraph>(exec)] {
                            for (const fake::Work &work : graph.work)
                              if (Result result = work())
                                return result;
                            return Result(Success);
                          });
}

Result cuGraphDestroy(Graph graph) {
  delete unwrap<FakeGraph>(graph);
  return Success;
}

Result cuGraphExecDestroy(GraphExec exec) {
  delete unwrap<FakeGraph>(exec);
  return Success;
}
