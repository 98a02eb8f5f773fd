//===- ProgramSegments.cpp - finds launches that finish results -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/ProgramSegments.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;

/// The launches behind which a result is final.
static llvm::BitVector findFinishing(const CpuProgram &program) {
  llvm::BitVector finishing(program.launches.size());
  for (const CpuTensor &tensor : program.tensors)
    if (tensor.kind == cpu::TensorKind::Result)
      finishing.set(tensor.lastUse);
  return finishing;
}

/// The ranges of launches that segments are.
static std::vector<CpuSegment> divide(const CpuProgram &program) {
  llvm::BitVector finishing = findFinishing(program);
  std::vector<CpuSegment> segments;
  size_t begin = 0, count = program.launches.size();
  bool finishes = false;
  for (size_t i = 0; i < count; ++i) {
    finishes |= finishing[i];
    bool isEnd = i + 1 < count && program.layers[i] != program.layers[i + 1];
    if (!finishes || !isEnd)
      continue;
    segments.emplace_back().launches = {begin, i + 1};
    begin = i + 1;
    finishes = false;
  }
  if (finishes || segments.empty())
    segments.emplace_back().launches = {begin, count};
  segments.back().launches.end = count;
  return segments;
}

std::vector<CpuSegment> parablock::listSegments(const CpuProgram &program) {
  std::vector<CpuSegment> segments = divide(program);
  auto find = [&](int64_t launch) -> CpuSegment & {
    for (CpuSegment &segment : llvm::drop_end(segments))
      if (static_cast<size_t>(launch) < segment.launches.end)
        return segment;
    return segments.back();
  };
  for (const CpuTensor &tensor : program.tensors) {
    if (tensor.isArgument())
      find(tensor.lastUse).left.push_back(tensor.position);
    if (tensor.kind != cpu::TensorKind::Result)
      continue;
    find(tensor.firstUse).begun.push_back(tensor.position);
    find(tensor.lastUse).finished.push_back(tensor.position);
  }
  for (CpuSegment &segment : segments) {
    llvm::sort(segment.begun);
    llvm::sort(segment.finished);
  }
  return segments;
}
