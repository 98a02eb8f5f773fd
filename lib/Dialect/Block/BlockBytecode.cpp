//===- BlockBytecode.cpp - writes versions and upgrades old bytecode ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlockBytecode.h"

#include "mlir/IR/Diagnostics.h"
#include "parablock/Dialect/Block/BlockVersion.h"

using namespace mlir;
using namespace parablock::block;

namespace {
/// Attributes are stored as text; only the version belongs to the dialect.
struct BlockBytecodeInterface : public BytecodeDialectInterface {
  BlockBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    BlockVersion version = BlockVersion::getCurrent();
    // Only a test requests another version, for the reader.
    if (auto wanted = writer.getDialectVersion<BlockDialect>();
        succeeded(wanted))
      version = *static_cast<const BlockVersion *>(*wanted);
    writer.writeVarInt(version.major);
    writer.writeVarInt(version.minor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    return std::make_unique<BlockVersion>(major, minor);
  }

  LogicalResult upgradeFromVersion(Operation *topLevel,
                                   const DialectVersion &read) const final {
    const auto &version = static_cast<const BlockVersion &>(read);
    BlockVersion current = BlockVersion::getCurrent();
    // [VERSION-1] a newer major version may mean something else: refuse it.
    if (version.major > current.major)
      return topLevel->emitError()
             << "block dialect version " << version.major << "."
             << version.minor << " is newer than the supported "
             << current.major << "." << current.minor;
    return success();
  }
};
} // namespace

void parablock::block::addBytecodeInterface(BlockDialect *dialect) {
  dialect->addInterfaces<BlockBytecodeInterface>();
}
