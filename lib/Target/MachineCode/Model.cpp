//===- Model.cpp - counts cycles of units ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/MachineCode/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace parablock;
using namespace parablock::machine;

// Work per cycle of a multiprocessor of sm_80 and sm_90.
static constexpr double sharedBytesPerCycle = 128;
static constexpr double specialLanes = 16, simpleLanes = 64;
static constexpr unsigned numSchedulers = 4, numLanes = 32;
static constexpr unsigned warpsOfGroup = 4;

std::pair<StringRef, double> UnitCycles::getLimit() const {
  std::pair<StringRef, double> most = {"tensor cores", tensor};
  for (auto [name, cycles] :
       {std::pair<StringRef, double>{"shared memory", shared},
        {"issue of instructions", issue},
        {"special functions", special},
        {"simple arithmetic", simple}})
    if (cycles > most.second)
      most = {name, cycles};
  return most;
}

UnitCycles UnitCycles::operator*(double times) const {
  return {tensor * times, shared * times, issue * times, special * times,
          simple * times};
}

/// Instructions that run on the units of integers and comparisons.
static bool isSimple(const Instruction &instruction) {
  return StringSwitch<bool>(instruction.getName())
      .Cases({"FMNMX", "IADD3", "LOP3", "SHF", "LEA", "ISETP", "SEL", "PRMT",
              "PLOP3", "IMNMX", "VIADD", "VIMNMX", "FSETP", "FSEL"},
             true)
      .Default(false);
}

/// Bytes of shared memory that one warp touches.
static double getSharedBytes(const Instruction &instruction) {
  StringRef name = instruction.getName();
  if (name == "LDS" || name == "STS")
    return instruction.getBits() / 8.0 * numLanes;
  if (name == "LDGSTS")
    return 16.0 * numLanes;
  if (name != "LDSM" && name != "STSM")
    return 0;
  for (unsigned matrices : {4, 2})
    if (instruction.has(std::to_string(matrices)))
      return matrices * 128.0;
  return 128;
}

/// Cycles of the units for code that `warps` warps each execute once.
static UnitCycles countUnits(const Loop &loop, unsigned warps) {
  UnitCycles cycles;
  double instructions = double(loop.instructions.size()) * warps;
  cycles.issue = instructions / numSchedulers;
  for (const Instruction *instruction : loop.instructions) {
    if (instruction->getName() == "MUFU")
      cycles.special += warps * numLanes / specialLanes;
    if (isSimple(*instruction))
      cycles.simple += warps * numLanes / simpleLanes;
    cycles.shared += warps * getSharedBytes(*instruction) / sharedBytesPerCycle;
  }
  return cycles;
}

/// The registers or the descriptor of an operand.
static StringRef getOperand(const Instruction &instruction, unsigned index) {
  SmallVector<StringRef, 6> operands;
  StringRef(instruction.operands).split(operands, ',');
  return index < operands.size() ? operands[index].trim() : "";
}

static Expected<MainLoop> modelMainLoop(const Kernel &kernel, const Loop &loop,
                                        unsigned warps, const Chip &chip,
                                        bool isGradient) {
  MainLoop main;
  main.cycles = countUnits(loop, warps);
  main.others = loop.instructions.size() - loop.countProducts();
  bool isAttention = any_of(loop.instructions, [](const Instruction *i) {
    return i->isExponential();
  });
  // Registers that the round has written, and sums that it began with others.
  std::set<std::string> written;
  int64_t sums = 0;
  double copied = 0;
  for (const Instruction *instruction : loop.instructions) {
    if (!instruction->isProduct())
      continue;
    std::optional<ProductShape> shape = getProductShape(*instruction);
    if (!shape)
      return createStringError("kernel '" + kernel.name +
                               "': no known shape of a product in '" +
                               instruction->opcode + "'");
    bool isGroup = instruction->getName() == "HGMMA";
    double teams = double(warps) / (isGroup ? warpsOfGroup : 1);
    ++main.products[StringRef(instruction->opcode)
                        .split('.')
                        .second.split('.')
                        .first.str()];
    main.cycles.tensor += teams * double(shape->m * shape->n * shape->k) /
                          double(chip.multiplyAdds);
    std::string accumulator = getOperand(*instruction, isGroup ? 0 : 3).str();
    sums += !written.count(accumulator);
    written.insert(getOperand(*instruction, 0).str());
    main.depth += shape->k;
    main.rows = shape->m * int64_t(teams);
    main.columns = shape->n;
    if (!isGroup)
      continue; // its operands come by loads that were counted
    // All teams read the columns' operand; rows belong to one team. Attention
    // keeps the rows of its queries.
    double ofColumns = double(shape->n * shape->k) * 2;
    double ofRows = double(shape->m * shape->k) * 2;
    bool readsRows = getOperand(*instruction, 1).starts_with("gdesc");
    bool isByRows = StringRef(instruction->operands).contains("tnspB");
    copied += isGradient && isByRows ? 0 : ofColumns;
    main.cycles.shared += teams * ofColumns / sharedBytesPerCycle;
    if (readsRows) {
      main.cycles.shared += teams * ofRows / sharedBytesPerCycle;
      copied += isAttention ? 0 : teams * ofRows;
    }
  }
  main.cycles.shared += copied / sharedBytesPerCycle;
  if (isAttention) { // two products, one after the other
    main.depth = main.rows = main.columns = 0;
    return main;
  }
  main.depth /= sums;
  main.columns *= sums;
  // The division of a tile among warps is not visible; it is assumed to be
  // square.
  if (main.products.begin()->first.find('x') == std::string::npos) {
    int64_t area = main.rows * main.columns;
    main.rows = int64_t(1) << Log2_64(uint64_t(area)) / 2;
    main.columns = area / main.rows;
  }
  return main;
}

Expected<KernelModel> machine::modelKernel(const Kernel &kernel,
                                           ArrayRef<Loop> loops,
                                           const Chip &chip, bool isGradient) {
  if (!kernel.threads)
    return createStringError(
        "kernel '" + kernel.name +
        "' does not say how many threads it has: expected the listing of all "
        "sections, EIATTR_REQNTID among them");
  KernelModel model;
  model.warps = divideCeil(kernel.threads, numLanes);
  bool hasProducer = any_of(kernel.instructions, [](const Instruction &i) {
    return i.getName() == "UTMALDG";
  });
  // Warps that compute come in fours.
  if (hasProducer && model.warps > warpsOfGroup)
    model.warps -=
        model.warps % warpsOfGroup ? model.warps % warpsOfGroup : warpsOfGroup;
  const Loop *most = findMainLoop(loops);
  for (const Loop *loop : findProductLoops(loops)) {
    Expected<MainLoop> main =
        modelMainLoop(kernel, *loop, model.warps, chip, isGradient);
    if (!main)
      return main.takeError();
    if (loop == most)
      model.main = *main;
    model.loops.push_back(std::move(*main));
  }
  for (const Loop *loop : findRowLoops(loops)) {
    RowLoop rows;
    rows.cycles = countUnits(*loop, model.warps);
    rows.instructions = loop->instructions.size();
    for (const Instruction *instruction : loop->instructions)
      if (instruction->getName() == "STG")
        rows.storedBytes += instruction->getBits() / 8 * numLanes;
    model.rows.push_back(rows);
  }
  model.tile = countUnits(findTileCode(loops), model.warps);
  return model;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

std::optional<Prediction> machine::predictMainLoop(const KernelModel &model) {
  if (!model.main)
    return std::nullopt;
  auto [limit, cycles] = model.main->cycles.getLimit();
  double share = model.main->cycles.tensor / cycles;
  return Prediction{limit, share, share};
}

std::optional<Prediction> machine::predictProduct(const KernelModel &model,
                                                  const ProductSize &size,
                                                  const Chip &chip) {
  if (!model.main || !model.main->depth)
    return std::nullopt;
  MainLoop main = *model.main;
  // With few rows the weight is the left operand, and all rows are in a tile.
  constexpr int64_t narrow = 128;
  if (size.rows <= main.rows && main.columns < narrow) {
    bool isGroup = main.products.begin()->first.find('x') != std::string::npos;
    int64_t area = main.rows * main.columns;
    main.rows = static_cast<int64_t>(alignTo(size.rows, isGroup ? 8 : 16));
    main.columns = std::max<int64_t>(area / main.rows, 1);
  }
  int64_t tiles = int64_t(divideCeil(size.rows, main.rows) *
                          divideCeil(size.columns, main.columns));
  double rounds = double(divideCeil(size.depth, main.depth));
  StringRef limit = main.cycles.getLimit().first;
  double cycles = main.cycles.getLimit().second;

  // Small products share the depth of a tile among several CTAs.
  double waves = double(divideCeil(tiles, chip.multiprocessors));
  double busy = tiles < chip.multiprocessors
                    ? 1
                    : double(tiles) / (waves * double(chip.multiprocessors));
  double useful = double(size.rows) * double(size.columns) /
                  (double(tiles) * double(main.rows) * double(main.columns));
  double stored =
      double(main.rows) * double(main.columns) * size.storedBytes / model.warps;
  double once = model.tile.getLimit().second;
  auto share = [&](double behind) {
    return rounds * main.cycles.tensor / (rounds * cycles + once + behind) *
           busy * useful;
  };
  Prediction prediction{limit, 1, 0};
  double longest = 0;
  for (const RowLoop &rows : model.rows) {
    double behind = rows.cycles.getLimit().second * stored / rows.storedBytes;
    longest = std::max(longest, behind);
    prediction.least = std::min(prediction.least, share(behind));
    prediction.most = std::max(prediction.most, share(behind));
  }
  if (model.rows.empty())
    prediction.least = prediction.most = share(0);
  if (once + longest > rounds * cycles)
    prediction.limit = "rows behind the products";

  double flops =
      2.0 * double(size.rows) * double(size.columns) * double(size.depth);
  double ofMemory = flops / chip.flops16 / (size.bytes / chip.bandwidth);
  if (ofMemory < prediction.most)
    prediction.limit = "device memory";
  prediction.most = std::min(prediction.most, ofMemory);
  prediction.least = std::min(prediction.least, ofMemory);
  return prediction;
}
