//===- TensorMap.h - Tensor maps of the emulated device ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The emulator's replacement for the driver's CUtensorMap: 128 bytes, passed by
// value, made by a function with the parameters and the restrictions of
// cuTensorMapEncodeTiled. Requires only the standard library, so that a
// launcher without LLVM can include it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_TENSORMAP_H
#define PARABLOCK_EMULATOR_TENSORMAP_H

#include <cstdint>

namespace parablock {

/// In the order of CUtensorMapDataType.
enum class TensorMapType : uint8_t {
  U8,
  U16,
  U32,
  I32,
  U64,
  I64,
  F16,
  F32,
  F64,
  BF16
};

/// In the order of CUtensorMapSwizzle.
enum class TensorMapSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };

inline uint32_t getTensorMapElementSize(TensorMapType type) {
  switch (type) {
  case TensorMapType::U8:
    return 1;
  case TensorMapType::U16:
  case TensorMapType::F16:
  case TensorMapType::BF16:
    return 2;
  case TensorMapType::U32:
  case TensorMapType::I32:
  case TensorMapType::F32:
    return 4;
  default:
    return 8;
  }
}

/// Innermost dimension first in all arrays.
struct alignas(64) EmulatedTensorMap {
  static constexpr uint32_t magicNumber = 0x70624D54;

  uint64_t address = 0;
  uint64_t dims[5] = {};
  /// strides[i] is that of dimension i + 1 in bytes.
  uint64_t strides[4] = {};
  uint16_t box[5] = {};
  uint8_t elementStrides[5] = {};
  uint8_t rank = 0;
  TensorMapType type = TensorMapType::U8;
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  /// Elements outside the tensor read as NaN instead of zero.
  uint8_t fillsWithNaN = 0;
  uint32_t magic = magicNumber;
  uint8_t unused[20] = {};

  uint32_t elementSize() const { return getTensorMapElementSize(type); }
};
static_assert(sizeof(EmulatedTensorMap) == 128,
              "a tensor map is a parameter of 128 bytes");

/// Fills `map`. Returns null, or the reason why cuTensorMapEncodeTiled would
/// fail. `strides` has rank - 1 entries. Interleaving is not supported.
inline const char *encodeTensorMap(EmulatedTensorMap &map, TensorMapType type,
                                   uint32_t rank, const void *address,
                                   const uint64_t *dims,
                                   const uint64_t *strides, const uint32_t *box,
                                   const uint32_t *elementStrides,
                                   TensorMapSwizzle swizzle,
                                   bool fillsWithNaN = false) {
  if (rank < 1 || rank > 5)
    return "the rank of a tensor map must be 1 to 5";
  if (reinterpret_cast<uintptr_t>(address) % 16 != 0 || !address)
    return "the address of a tensor map must be a multiple of 16";
  EmulatedTensorMap result;
  result.address = reinterpret_cast<uintptr_t>(address);
  result.rank = static_cast<uint8_t>(rank);
  result.type = type;
  result.swizzle = swizzle;
  result.fillsWithNaN = fillsWithNaN;
  for (uint32_t i = 0; i < rank; ++i) {
    if (dims[i] == 0 || dims[i] > uint64_t(1) << 32)
      return "a dimension of a tensor map must be 1 to 2^32";
    if (box[i] == 0 || box[i] > 256)
      return "a box dimension of a tensor map must be 1 to 256";
    if (elementStrides[i] != 1)
      return "an element stride of a tensor map must be 1";
    result.dims[i] = dims[i];
    result.box[i] = static_cast<uint16_t>(box[i]);
    result.elementStrides[i] = 1;
  }
  for (uint32_t i = 0; i + 1 < rank; ++i) {
    if (strides[i] == 0 || strides[i] % 16 != 0 ||
        strides[i] >= uint64_t(1) << 40)
      return "a stride of a tensor map must be a multiple of 16 below 2^40";
    result.strides[i] = strides[i];
  }
  uint32_t innerBytes = box[0] * result.elementSize();
  if (innerBytes % 16 != 0)
    return "the inner box dimension of a tensor map must be a multiple of 16 "
           "bytes";
  if (swizzle != TensorMapSwizzle::None &&
      innerBytes > 16u << static_cast<uint32_t>(swizzle))
    return "the inner box dimension of a tensor map must fit in the swizzle";
  map = result;
  return nullptr;
}

} // namespace parablock

#endif // PARABLOCK_EMULATOR_TENSORMAP_H
