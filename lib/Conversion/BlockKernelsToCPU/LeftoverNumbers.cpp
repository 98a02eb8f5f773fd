//===- LeftoverNumbers.cpp - passes on divisors, casts and libm -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Conversion/CPUCode/Code.h"
#include "parablock/Transforms/Leftovers/Numbers.h"

namespace parablock {
#define GEN_PASS_DEF_CPUBOUNDDIVISORS
#define GEN_PASS_DEF_CPUCALLLIBRARY
#define GEN_PASS_DEF_CPUCONVERTNARROWFLOATS
#define GEN_PASS_DEF_CPUWIDENINTEGERS
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Converts integers to 16-bit floats through f64, which represents most of
/// them.
template <typename OpT> static void convertInteger(OpT op) {
  if (!isNarrow(op.getType()))
    return;
  OpBuilder builder(op);
  Value wide =
      OpT::create(builder, op.getLoc(), builder.getF64Type(), op.getIn());
  Value narrow =
      arith::TruncFOp::create(builder, op.getLoc(), op.getType(), wide);
  op.replaceAllUsesWith(narrow);
  op.erase();
}

/// Converts between 16-bit floats and others through f32, in integer
/// arithmetic.
static void convertFloat(Operation *op, const CpuTarget &target) {
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return;
  OpBuilder builder(op);
  Code code(builder, op->getLoc(), target);
  Value value = op->getOperand(0);
  Type from = value.getType(), to = op->getResult(0).getType();
  if (!isNarrow(from) && !isNarrow(to))
    return;
  Type bits = builder.getI16Type(), f32 = builder.getF32Type();
  if (isNarrow(from))
    value = fromBits(
        code, arith::BitcastOp::create(builder, code.loc, bits, value), from);
  else if (from != f32)
    value = roundToOdd(builder, code.loc, value);
  if (isNarrow(to))
    value = arith::BitcastOp::create(builder, code.loc, to,
                                     toBits(code, value, to));
  else if (to != f32)
    value = arith::ExtFOp::create(builder, code.loc, to, value);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

/// Upstream writes both as a difference from 1, without digits near 0.
static void callLibrary(Operation *op) {
  StringRef name = isa<math::ExpM1Op>(op)   ? "expm1"
                   : isa<math::Log1pOp>(op) ? "log1p"
                                            : "";
  Type type = name.empty() ? Type() : op->getResult(0).getType();
  if (!type || !(type.isF32() || type.isF64()))
    return;
  auto module = op->getParentOfType<ModuleOp>();
  std::string symbol = (name + (type.isF32() ? "f" : "")).str();
  auto function = module.lookupSymbol<func::FuncOp>(symbol);
  if (!function) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    function = func::FuncOp::create(builder, op->getLoc(), symbol,
                                    builder.getFunctionType(type, type));
    function.setPrivate();
  }
  OpBuilder builder(op);
  auto call =
      func::CallOp::create(builder, op->getLoc(), function, op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
}

/// Makes divisions with an undefined quotient divide by 1, since they would end
/// the process.
static void boundDivisorOf(Operation *op) {
  if (!isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
           arith::CeilDivSIOp, arith::DivUIOp, arith::RemUIOp,
           arith::CeilDivUIOp>(op) ||
      isa<ShapedType>(op->getResult(0).getType()))
    return;
  OpBuilder builder(op);
  op->setOperand(1, boundDivisor(builder, op, op->getOperand(0),
                                 op->getOperand(1), /*indexBits=*/64));
}

namespace {
struct CpuBoundDivisorsPass
    : public parablock::impl::CpuBoundDivisorsBase<CpuBoundDivisorsPass> {
  void runOnOperation() final { getOperation().walk(boundDivisorOf); }
};

struct CpuWidenIntegersPass
    : public parablock::impl::CpuWidenIntegersBase<CpuWidenIntegersPass> {
  void runOnOperation() final {
    getOperation().walk(convertInteger<arith::SIToFPOp>);
    getOperation().walk(convertInteger<arith::UIToFPOp>);
  }
};

struct CpuCallLibraryPass
    : public parablock::impl::CpuCallLibraryBase<CpuCallLibraryPass> {
  void runOnOperation() final { getOperation().walk(callLibrary); }
};

struct CpuConvertNarrowFloatsPass
    : public parablock::impl::CpuConvertNarrowFloatsBase<
          CpuConvertNarrowFloatsPass> {
  using Base::Base;

  CpuConvertNarrowFloatsPass() = default;
  explicit CpuConvertNarrowFloatsPass(const CpuChoice &choice)
      : known(choice.target) {
    cpu = choice.name;
  }

  LogicalResult initialize(MLIRContext *context) final {
    CpuChoice choice{cpu, known};
    if (failed(findTarget(UnknownLoc::get(context), choice)))
      return failure();
    known = choice.target;
    return success();
  }

  void runOnOperation() final {
    getOperation().walk([&](Operation *op) { convertFloat(op, *known); });
  }

  std::optional<CpuTarget> known;
};
} // namespace

std::unique_ptr<Pass>
parablock::createCpuConvertNarrowFloats(const CpuChoice &cpu) {
  return std::make_unique<CpuConvertNarrowFloatsPass>(cpu);
}
