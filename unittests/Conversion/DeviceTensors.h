//===- DeviceTensors.h - tensors as arguments of kernels --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CONVERSION_DEVICETENSORS_H
#define PARABLOCK_UNITTESTS_CONVERSION_DEVICETENSORS_H

#include "TileRun.h"

namespace parablock::unittest {

/// A tensor on the device, as rows of its last dimension.
struct DeviceTensor {
  void *address;
  uint64_t rows, columns;
  TensorMapType type;
  /// In the order of its dimensions, for those that a kernel asks for.
  std::vector<int32_t> dims;
};

inline KernelArgument bindTensorMap(const DeviceTensor &tensor,
                                    llvm::ArrayRef<int64_t> box) {
  uint64_t dims[] = {tensor.columns, tensor.rows};
  uint64_t strides[] = {tensor.columns * getTensorMapElementSize(tensor.type)};
  uint32_t sizes[] = {uint32_t(box[1]), uint32_t(box[0])}, ones[] = {1, 1};
  EmulatedTensorMap map;
  const char *refusal =
      encodeTensorMap(map, tensor.type, 2, tensor.address, dims, strides, sizes,
                      ones, TensorMapSwizzle::Bytes128);
  EXPECT_STREQ(refusal, nullptr);
  return KernelArgument::of(map);
}

/// Gives what a kernel is launched with for its tensors, in their order.
inline std::vector<KernelArgument>
bindTensors(const TileKernel &kernel, llvm::ArrayRef<DeviceTensor> tensors) {
  std::vector<KernelArgument> arguments;
  for (const TileKernel::Parameter &parameter : kernel.getParameters()) {
    const DeviceTensor &tensor = tensors[parameter.operand];
    switch (parameter.kind) {
    case tile::ArgumentKind::Pointer:
      arguments.push_back(KernelArgument::of(tensor.address));
      break;
    case tile::ArgumentKind::Dim:
      arguments.push_back(KernelArgument::of(tensor.dims[parameter.dim]));
      break;
    case tile::ArgumentKind::TensorMap:
      arguments.push_back(bindTensorMap(tensor, parameter.box));
      break;
    }
  }
  return arguments;
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_CONVERSION_DEVICETENSORS_H
