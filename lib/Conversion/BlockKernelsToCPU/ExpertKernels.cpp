//===- ExpertKernels.cpp - orders slots, runs experts, sums ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A slot is one expert of one row, and a place a slot in the order of experts.
// The rows of an expert lie one behind the other in that order, so each expert
// is two products of the engine's usual kernels. An expert without rows reads
// nothing: of few rows, only the weights of their experts pass.
//
//===----------------------------------------------------------------------===//

#include "ExpertKernels.h"

#include "parablock/Dialect/Block/ElementTypes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static Value both(Code &code, Value a, Value b) {
  return arith::AndIOp::create(code.builder, code.loc, a, b);
}

void cpugen::forVectors(Code &code, int64_t width,
                        llvm::function_ref<void(Value, int64_t)> body) {
  int64_t whole = width / code.lanes() * code.lanes();
  code.loop(code.index(0), code.index(whole), code.lanes(),
            [&](Value at) { body(at, code.lanes()); });
  code.loop(code.index(whole), code.index(width), 1,
            [&](Value at) { body(at, 1); });
}

void cpugen::writeIndexFault(Code &code, cpu::Fault::Kind kind, Value indices,
                             Value wrong, int64_t slots, int64_t experts,
                             Value fault) {
  Value zero = code.index(0);
  Value isWrong = code.lessI(code.index(-1), wrong);
  code.storeRaw(zero, fault, zero);
  code.ifThen(isWrong, [&] {
    for (auto [place, number] : llvm::enumerate(Values{
             code.index(kind), code.divI(wrong, slots), code.remI(wrong, slots),
             code.loadI64(indices, wrong), code.index(experts)}))
      code.storeRaw(number, fault, code.index(static_cast<int64_t>(place)));
  });
}

KernelCode cpugen::buildOrderKernel(Frame &frame, const ExpertForm &form) {
  Code &code = frame.getCode();
  Value indices = frame.getTensor(0), weights = frame.getTensor(1),
        firsts = frame.getTensor(2), slots = frame.getTensor(3),
        places = frame.getTensor(4), fault = frame.getTensor(5);
  Value zero = code.index(0), experts = code.index(form.experts);
  Value count =
      code.mulI(code.mulI(frame.getDim(0), frame.getDim(1)), form.slots);
  Value next = frame.allocate(form.experts * 8);
  code.loop(zero, code.index(form.experts + 1), 1,
            [&](Value e) { code.storeRaw(zero, firsts, e); });
  auto isExpert = [&](Value index) {
    return both(code, code.lessI(code.index(-1), index),
                code.lessI(index, experts));
  };
  code.loop(zero, count, 1, [&](Value slot) {
    Value index = code.loadI64(indices, slot);
    code.ifThen(isExpert(index), [&] {
      Value behind = code.addI(index, 1);
      code.storeRaw(code.addI(code.loadI64(firsts, behind), 1), firsts, behind);
    });
  });
  code.loop(zero, experts, 1, [&](Value e) {
    Value first = code.loadI64(firsts, e), behind = code.addI(e, 1);
    code.storeRaw(first, next, e);
    code.storeRaw(code.addI(first, code.loadI64(firsts, behind)), firsts,
                  behind);
  });
  Value none = code.index(-1);
  auto placeSlot = [&](Value slot, ValueRange known) -> Values {
    Value index = code.loadI64(indices, slot);
    auto place = [&]() -> Values {
      Value own = code.loadI64(next, index);
      code.storeRaw(code.addI(own, 1), next, index);
      code.storeRaw(slot, slots, own);
      return {own, none};
    };
    auto skip = [&]() -> Values {
      Value weight = code.load(weights, form.weights, slot, 1);
      Value isZero =
          arith::CmpFOp::create(code.builder, code.loc,
                                arith::CmpFPredicate::OEQ, weight, code.f32(0));
      Value isEmpty = both(code, isZero, code.lessI(none, index));
      return {none, code.select(isEmpty, none, slot)};
    };
    Type i64 = code.builder.getI64Type();
    Values found =
        code.ifElse(isExpert(index), TypeRange{i64, i64}, place, skip);
    code.storeRaw(found[0], places, slot);
    return {code.select(code.equalI(known[0], none), found[1], known[0])};
  };
  Value wrong = code.loop(zero, count, 1, none, placeSlot)[0];
  writeIndexFault(code, cpu::Fault::IndexWithoutExpert, indices, wrong,
                  form.slots, form.experts, fault);
  return frame.finish();
}

namespace {
/// Calls the products of each expert, block by block of its rows. Rows are
/// gathered into memory of the thread, where the products' code finds them in
/// the cache; an expert's blocks have nearly equal sizes, since each of them
/// reads all of its weights.
class ExpertsBuilder {
public:
  ExpertsBuilder(Frame &frame, const ExpertForm &form, int64_t items,
                 const ExpertProduct &up, const ExpertProduct &down)
      : frame(frame), code(frame.getCode()), form(form), items(items), up(up),
        down(down), blockRows(up.code.block) {}

  KernelCode build();

private:
  /// The tensors of a product; `rows` and `result` begin with the block's.
  struct Tensors {
    Values packed;
    Value bias, rows, result;
  };
  Tensors getTensors(const ExpertProduct &product, unsigned &next);
  Value getFirst(Value expert) { return code.loadI64(firsts, expert); }
  Value countBlocks(Value rows) { return code.ceilDivI(rows, blockRows); }
  /// Calls `body` with each expert, its rows, its blocks, and the number of
  /// blocks before it; returns the number of all blocks.
  Value forExperts(llvm::function_ref<void(Value, Value, Value, Value)> body);
  void emitBlocks(Value expert, Value rows, Value blocks, Value begin,
                  Value end);
  void gather(Value from, Value count);
  void call(const ExpertProduct &product, const Tensors &tensors, Value expert,
            Value count);
  void store(Value value, Value memory, int64_t place);
  Value allocate(int64_t width) {
    return frame.allocate(blockRows * width *
                          form.input.getIntOrFloatBitWidth() / 8);
  }

  Frame &frame;
  Code &code;
  const ExpertForm &form;
  int64_t items;
  const ExpertProduct &up, &down;
  int64_t blockRows;
  Value input, weights, firsts, slots, gathered, products;
  Tensors first, second;
  /// Arguments of calls, and the scratch of what is called.
  Value pointers, sizes, scratch;
};
} // namespace

/// Copies rows of the input, those of the places from `from` on.
void ExpertsBuilder::gather(Value from, Value count) {
  code.loop(code.index(0), count, 1, [&](Value number) {
    Value slot = code.loadI64(slots, code.addI(from, number));
    Value source = code.mulI(code.divI(slot, form.slots), up.depth),
          target = code.mulI(number, up.depth);
    Value weight =
        form.weighsInput ? code.load(weights, form.weights, slot, 1) : Value();
    forVectors(code, up.depth, [&](Value at, int64_t lanes) {
      Value x = code.load(input, form.input, code.addI(source, at), lanes);
      if (weight)
        x = code.mul(x, code.splat(weight, lanes));
      code.store(x, gathered, form.input, code.addI(target, at));
    });
  });
}

void ExpertsBuilder::store(Value value, Value memory, int64_t place) {
  LLVM::StoreOp::create(
      code.builder, code.loc, value,
      code.address(memory, code.index(place), value.getType()));
}

void ExpertsBuilder::call(const ExpertProduct &product, const Tensors &tensors,
                          Value expert, Value count) {
  int64_t place = 0;
  store(tensors.rows, pointers, place++);
  for (auto [memory, packed] : llvm::zip_equal(tensors.packed, product.weight))
    store(code.address(memory, code.mulI(expert, packed.countElements()),
                       packed.element),
          pointers, place++);
  if (product.hasBias)
    store(code.address(tensors.bias, code.mulI(expert, product.columns),
                       product.element),
          pointers, place++);
  store(tensors.result, pointers, place++);
  store(code.index(1), sizes, 0);
  store(count, sizes, 1);
  store(code.index(0), sizes, 2);
  store(code.index(0), sizes, 3);
  Value all =
      code.mulI(code.ceilDivI(count, product.code.block), product.code.factor);
  func::CallOp::create(
      code.builder, code.loc, product.code.name, TypeRange(),
      ValueRange{pointers, sizes, scratch, code.index(0), all});
}

ExpertsBuilder::Tensors ExpertsBuilder::getTensors(const ExpertProduct &product,
                                                   unsigned &next) {
  Tensors tensors;
  for (size_t i = 0; i < product.weight.size(); ++i)
    tensors.packed.push_back(frame.getTensor(next++));
  return tensors;
}

Value ExpertsBuilder::forExperts(
    llvm::function_ref<void(Value, Value, Value, Value)> body) {
  return code.loop(code.index(0), code.index(form.experts), 1, code.index(0),
                   [&](Value expert, ValueRange before) -> Values {
                     Value rows = code.subI(getFirst(code.addI(expert, 1)),
                                            getFirst(expert));
                     Value blocks = countBlocks(rows);
                     body(expert, rows, blocks, before[0]);
                     return {code.addI(before[0], blocks)};
                   })[0];
}

void ExpertsBuilder::emitBlocks(Value expert, Value rows, Value blocks,
                                Value begin, Value end) {
  code.loop(begin, end, 1, [&](Value block) {
    // Whole passes of the products, but for the last block's. A block on tiles
    // need not be a multiple of a pass, and the memory has no more rows.
    int64_t pass = code.target.processorClass->gemm.rows;
    Value size = code.divI(code.addI(rows, code.addI(blocks, -1)), blocks);
    size = code.minI(code.mulI(code.ceilDivI(size, pass), pass),
                     code.index(blockRows));
    Value own = code.mulI(block, size);
    Value count =
        code.maxI(code.minI(size, code.subI(rows, own)), code.index(0));
    Value from = code.addI(getFirst(expert), own);
    gather(from, count);
    call(up, first, expert, count);
    Tensors last = second;
    last.result =
        code.address(products, code.mulI(from, down.width), code.f32Type(1));
    call(down, last, expert, count);
  });
}

KernelCode ExpertsBuilder::build() {
  unsigned next = 0;
  input = frame.getTensor(next++);
  weights = frame.getTensor(next++);
  firsts = frame.getTensor(next++);
  slots = frame.getTensor(next++);
  first = getTensors(up, next);
  second = getTensors(down, next);
  if (up.hasBias)
    first.bias = frame.getTensor(next++);
  if (down.hasBias)
    second.bias = frame.getTensor(next++);
  products = frame.getTensor(next++);
  first.rows = gathered = allocate(up.depth);
  first.result = second.rows = allocate(up.width);
  constexpr int64_t mostOperands = 6, numSizes = 4;
  pointers = frame.allocate(mostOperands * 8);
  sizes = frame.allocate(numSizes * 8);
  scratch =
      frame.allocate(std::max(up.code.scratchBytes, down.code.scratchBytes));
  Value all = forExperts([](Value, Value, Value, Value) {});
  auto getBlock = [&](Value item) {
    return code.divI(code.mulI(item, all), items);
  };
  Value begin = getBlock(frame.getBegin()), end = getBlock(frame.getEnd());
  forExperts([&](Value expert, Value rows, Value blocks, Value before) {
    emitBlocks(expert, rows, blocks,
               code.maxI(code.subI(begin, before), code.index(0)),
               code.minI(code.subI(end, before), blocks));
  });
  return frame.finish();
}

KernelCode cpugen::buildExpertsKernel(Frame &frame, const ExpertForm &form,
                                      int64_t items, const ExpertProduct &up,
                                      const ExpertProduct &down) {
  return ExpertsBuilder(frame, form, items, up, down).build();
}

KernelCode cpugen::buildCombineKernel(Frame &frame, const ExpertForm &form,
                                      int64_t width) {
  Code &code = frame.getCode();
  Value products = frame.getTensor(0), places = frame.getTensor(1),
        weights = frame.getTensor(2), result = frame.getTensor(3);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    Value firstSlot = code.mulI(row, form.slots);
    auto sum = [&](Value at, int64_t lanes) {
      Value total = code.loop(
          code.index(0), code.index(form.slots), 1,
          code.splat(code.f32(0), lanes),
          [&](Value number, ValueRange before) -> Values {
            Value slot = code.addI(firstSlot, number),
                  place = code.loadI64(places, slot);
            auto add = [&]() -> Values {
              Value own = code.loadRaw(products, code.f32Type(lanes),
                                       code.addI(code.mulI(place, width), at));
              if (form.weighsInput)
                return {code.add(before[0], own)};
              Value weight = code.load(weights, form.weights, slot, 1);
              return {code.fma(code.splat(weight, lanes), own, before[0])};
            };
            auto skip = [&]() -> Values { return {before[0]}; };
            return code.ifElse(code.lessI(code.index(-1), place),
                               code.f32Type(lanes), add, skip);
          })[0];
      code.store(total, result, form.result,
                 code.addI(code.mulI(row, width), at));
    };
    forVectors(code, width, sum);
  });
  return frame.finish();
}
