// FieldBases.cpp - follows pointers backwards to the struct that an unnamed access belongs to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/FieldBases.h"
#include "include/reticle/abi.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

/// Accesses of one pointer that are remembered.
static constexpr size_t KnownMax = 16;

/// The pointer that a constant is added to; null for the stack.
static const Value *baseOf(const Instruction &I, int64_t &Bytes) {
  const Value *Address = getLoadStorePointerOperand(&I);
  if (!Address)
    return nullptr;
  const DataLayout &DL = I.getModule()->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base =
      Address->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  Bytes = Offset.getSExtValue();
  return isa<Argument>(Base) || (isa<Instruction>(Base) && !isa<AllocaInst>(Base)) ? Base : nullptr;
}

void FieldBases::note(const Instruction &I, ArrayRef<FieldAccess> What) {
  int64_t Bytes;
  const Value *Base = baseOf(I, Bytes);
  if (!Base)
    return;
  auto &All = Bases[Base];
  for (const FieldAccess &One : What)
    if (One.Struct != UINT32_MAX && One.OffsetBytes != UINT32_MAX &&
        !(One.Flags & (RETICLE_ACCESS_COPY | RETICLE_ACCESS_VECTOR)) && All.size() < KnownMax)
      All.push_back({&I, One.Struct, Bytes - One.OffsetBytes});
}

bool FieldBases::name(const Instruction &I, const DominatorTree &DT, FieldAccess &What) const {
  int64_t Bytes;
  const Value *Base = baseOf(I, Bytes);
  auto It = Base ? Bases.find(Base) : Bases.end();
  if (It == Bases.end())
    return false;
  const Known *Found = nullptr;
  for (const Known &One : It->second) {
    int64_t Offset = Bytes - One.Start;
    if (Offset < 0 || Offset > UINT32_MAX ||
        !(One.I->getParent() == I.getParent() || DT.dominates(One.I, &I)) ||
        !Reader.holds({One.Struct, static_cast<uint32_t>(Offset)}, What.Bytes))
      continue;
    if (Found && (Found->Struct != One.Struct || Found->Start != One.Start))
      return false;
    Found = &One;
  }
  if (!Found)
    return false;
  What.Struct = Found->Struct;
  What.OffsetBytes = static_cast<uint32_t>(Bytes - Found->Start);
  return true;
}
