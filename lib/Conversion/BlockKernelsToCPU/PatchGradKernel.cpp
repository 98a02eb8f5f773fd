//===- PatchGradKernel.cpp - sums over patches, pixels and tokens ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatchGradKernel.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Processes `count` neighbours in vectors, then one by one.
static void forNeighbours(Code &code, int64_t count,
                          llvm::function_ref<void(Value, int64_t)> body) {
  int64_t lanes = code.lanes(), whole = count / lanes * lanes;
  code.loop(code.index(0), code.index(whole), lanes,
            [&](Value at) { body(at, lanes); });
  code.loop(code.index(whole), code.index(count), 1,
            [&](Value at) { body(at, 1); });
}

/// Processes the lines of a patch: `body` gets the start of a line in the patch
/// and in the pixels.
static void forLines(Code &code, const PatchForm &form, Value image,
                     Value patch, llvm::function_ref<void(Value, Value)> body) {
  int64_t across = form.imageColumns / form.patchColumns;
  Value top = code.mulI(code.divI(patch, across), form.patchRows);
  Value left = code.mulI(code.remI(patch, across), form.patchColumns);
  int64_t lines = form.channels * form.patchRows;
  code.loop(code.index(0), code.index(lines), 1, [&](Value line) {
    Value channel = code.addI(code.mulI(image, form.channels),
                              code.divI(line, form.patchRows));
    Value row = code.addI(code.mulI(channel, form.imageRows),
                          code.addI(top, code.remI(line, form.patchRows)));
    body(code.mulI(line, form.patchColumns),
         code.addI(code.mulI(row, form.imageColumns), left));
  });
}

/// The element of the gradient by column `column` of a patch.
static Value loadGradient(Frame &frame, const PatchForm &form, Value image,
                          Value patch, Value column) {
  Code &code = frame.getCode();
  Value token = code.addI(code.mulI(image, frame.getDim(1)),
                          form.hasClass ? code.addI(patch, 1) : patch);
  return code.load(frame.getTensor(0), form.gradient,
                   code.addI(code.mulI(token, form.width), column), 1);
}

KernelCode cpugen::buildPatchWeightKernel(Frame &frame, const PatchForm &form) {
  Code &code = frame.getCode();
  Value pixels = frame.getTensor(1), result = frame.getTensor(2);
  Value zero = code.index(0), batch = frame.getDim(0);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value column) {
    Value row = code.address(result, code.mulI(column, form.getPatchSize()),
                             code.f32Type(1));
    code.fillZeros(row, form.getPatchSize());
    code.loop(zero, batch, 1, [&](Value image) {
      code.loop(zero, code.index(form.countPatches()), 1, [&](Value patch) {
        Value gradient = loadGradient(frame, form, image, patch, column);
        forLines(code, form, image, patch, [&](Value to, Value from) {
          forNeighbours(code, form.patchColumns, [&](Value at, int64_t lanes) {
            Value pixel =
                code.load(pixels, form.pixels, code.addI(from, at), lanes);
            Value place = code.addI(to, at);
            Value sum = code.loadRaw(row, code.f32Type(lanes), place);
            code.storeRaw(code.fma(pixel, gradient, sum), row, place);
          });
        });
      });
    });
  });
  return frame.finish(form.width);
}

KernelCode cpugen::buildPatchPixelsKernel(Frame &frame, const PatchForm &form) {
  Code &code = frame.getCode();
  Value weight = frame.getTensor(1), result = frame.getTensor(2);
  Value sums = frame.allocate(form.getPatchSize() * sizeof(float));
  int64_t patches = form.countPatches();
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value image = code.divI(item, patches), patch = code.remI(item, patches);
    code.fillZeros(sums, form.getPatchSize());
    code.loop(code.index(0), code.index(form.width), 1, [&](Value column) {
      Value gradient = loadGradient(frame, form, image, patch, column);
      Value first = code.mulI(column, form.getPatchSize());
      forNeighbours(code, form.getPatchSize(), [&](Value at, int64_t lanes) {
        Value w = code.load(weight, form.weight, code.addI(first, at), lanes);
        Value sum = code.loadRaw(sums, code.f32Type(lanes), at);
        code.storeRaw(code.fma(w, gradient, sum), sums, at);
      });
    });
    forLines(code, form, image, patch, [&](Value from, Value to) {
      forNeighbours(code, form.patchColumns, [&](Value at, int64_t lanes) {
        code.store(code.loadRaw(sums, code.f32Type(lanes), code.addI(from, at)),
                   result, form.pixels, code.addI(to, at));
      });
    });
  });
  return frame.finish(patches);
}

KernelCode cpugen::buildTokenSumsKernel(Frame &frame, const PatchForm &form,
                                        int64_t first, int64_t rows,
                                        bool isJoined) {
  Code &code = frame.getCode();
  Value gradient = frame.getTensor(0), result = frame.getTensor(1);
  Value zero = code.index(0), batch = frame.getDim(0), tokens = frame.getDim(1);
  // An item is a row of the result.
  auto add = [&](Value item, Value from, Value to) {
    Value row =
        code.address(result, code.mulI(item, form.width), code.f32Type(1));
    code.fillZeros(row, form.width);
    code.loop(zero, batch, 1, [&](Value image) {
      code.loop(from, to, 1, [&](Value token) {
        Value start =
            code.mulI(code.addI(code.mulI(image, tokens), token), form.width);
        forNeighbours(code, form.width, [&](Value at, int64_t lanes) {
          Value x =
              code.load(gradient, form.gradient, code.addI(start, at), lanes);
          Value sum = code.loadRaw(row, code.f32Type(lanes), at);
          code.storeRaw(code.add(sum, x), row, at);
        });
      });
    });
  };
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    if (isJoined)
      add(item, code.index(first), rows ? code.index(first + rows) : tokens);
    else
      add(item, code.addI(item, first), code.addI(item, first + 1));
  });
  return frame.finish(isJoined ? 1 : rows);
}
