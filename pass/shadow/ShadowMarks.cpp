// ShadowMarks.cpp - writes the marks of an access, by the kind of access and of marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/shadow/ShadowMarks.h"
#include "include/reticle/abi.h"
#include "pass/module/OwnCode.h"
#include "pass/module/RuntimeCalls.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

static constexpr uint64_t Touched = RETICLE_SHADOW_TOUCHED * UINT64_C(0x0101010101010101);

ShadowMarks::ShadowMarks(Module &Mod, bool Apart, bool Changes)
    : M(Mod), Mask(shadowMask(Mod)), Thread(Apart ? shadowThread(Mod) : nullptr), Changes(Changes) {
}

void ShadowMarks::enter(Function &F) {
  // Line 0: no source line is charged for a mark.
  Location = DebugLoc();
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(M.getContext(), 0, 0, Subprogram);
}

Value *ShadowMarks::index(Instruction &Before, Value &Base) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  LoadInst *Allowed = ours(B.CreateLoad(B.getInt64Ty(), Mask));
  // Without bursts it changes before the module's code runs, and never again: so code generation
  // may load it anew rather than keep it in a register.
  if (!Changes)
    Allowed->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(M.getContext(), {}));
  return B.CreateAnd(B.CreateLShr(B.CreatePtrToInt(&Base, B.getInt64Ty()), 2), Allowed);
}

Value *ShadowMarks::address(IRBuilder<> &B, Value *Index, int64_t Word) const {
  Value *Place = B.CreateAdd(Index, B.getInt64(RETICLE_SHADOW_BASE + static_cast<uint64_t>(Word)));
  return B.CreateIntToPtr(Place, B.getPtrTy());
}

/// A word that is read so near to one that is written is marked like that: the line is ours.
static constexpr int64_t NearWords = 8;
/// Instructions of a look at a window: load and constant, mask, compare, branch; constants of 64
/// bits are instructions of their own, of twice the size.
static constexpr unsigned NarrowWords = 4, NarrowCost = 4, WideCost = 6;

static ConstantInt *touched(IRBuilder<> &B, unsigned Words) {
  return B.getIntN(8 * Words, Touched >> (64 - 8 * Words));
}

Value *ShadowMarks::load(IRBuilder<> &B, Value *Index, int64_t First, unsigned Count) const {
  return ours(B.CreateAlignedLoad(B.getIntNTy(8 * Count), address(B, Index, First), Align(1)));
}

void ShadowMarks::touch(IRBuilder<> &B, Value *Index, Row Words) const {
  while (Words.Count) {
    unsigned Part = std::min(bit_floor(Words.Count), WidestWords);
    ours(B.CreateAlignedStore(touched(B, Part), address(B, Index, Words.First), Align(1)));
    Words.First += Part;
    Words.Count -= Part;
  }
}

/// Marks the words if IsNew.
void ShadowMarks::branch(Instruction &Before, Value *Index, Value *IsNew, ArrayRef<Row> Words) {
  Instruction *Cold = SplitBlockAndInsertIfThen(
      IsNew, &Before, /*Unreachable=*/false,
      MDBuilder(M.getContext()).createBranchWeights(ColdWeight, HotWeight));
  IRBuilder<> B(Cold);
  B.SetCurrentDebugLocation(Location);
  for (Row R : Words)
    touch(B, Index, R);
}

/// One load for all, at most WidestWords from the first to the last.
void ShadowMarks::lookAtWindow(Instruction &Before, Value *Index, ArrayRef<Row> Words) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  int64_t First = Words.front().First, Limit = Words.back().First + Words.back().Count;
  unsigned Count = bit_ceil(static_cast<unsigned>(Limit - First));
  uint64_t Wanted = 0;
  for (Row R : Words)
    Wanted |= (UINT64_MAX >> (64 - 8 * R.Count)) << (8 * (R.First - First));
  Value *Marks = load(B, Index, First, Count);
  if (Wanted != UINT64_MAX >> (64 - 8 * Count))
    Marks = B.CreateAnd(Marks, B.getIntN(8 * Count, Wanted));
  branch(Before, Index, B.CreateICmpNE(Marks, B.getIntN(8 * Count, Wanted & Touched)), Words);
}

/// Pieces of one width. Marks of the program's words are 0, 1 or 2, so they have a common bit only
/// if all are 1.
void ShadowMarks::lookAtPieces(Instruction &Before, Value *Index, ArrayRef<Row> Pieces) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  Value *Marks = nullptr;
  for (Row R : Pieces) {
    Value *Piece = load(B, Index, R.First, R.Count);
    Marks = Marks ? B.CreateAnd(Marks, Piece) : Piece;
  }
  branch(Before, Index, B.CreateICmpNE(Marks, touched(B, Pieces.front().Count)), Pieces);
}

/// Cuts rows into parts of 1, 2, 4 and 8 words, by their width.
void ShadowMarks::cut(ArrayRef<Row> Words, Rows (&Pieces)[WidestWords + 1]) {
  for (Row R : Words)
    while (R.Count) {
      unsigned Part = bit_floor(R.Count);
      Pieces[Part].push_back({R.First, Part});
      R.First += Part;
      R.Count -= Part;
    }
}

/// Instructions of looks at pieces: compare and branch for each width, and a load for all but its
/// first.
unsigned ShadowMarks::costOfPieces(ArrayRef<Row> Words) {
  Rows Pieces[WidestWords + 1];
  cut(Words, Pieces);
  unsigned Cost = 0;
  for (const Rows &Alike : Pieces)
    Cost += Alike.size() == 1 ? 2 : Alike.empty() ? 0 : 2 + static_cast<unsigned>(Alike.size());
  return Cost;
}

void ShadowMarks::look(Instruction &Before, Value *Index, ArrayRef<Row> Words) {
  Rows Pieces[WidestWords + 1]; // [words in a row]
  while (!Words.empty()) {
    size_t Count = 1;
    auto Span = [](ArrayRef<Row> Rows) {
      return Rows.back().First + Rows.back().Count - Rows.front().First;
    };
    while (Count < Words.size() && Span(Words.take_front(Count + 1)) <= WidestWords)
      Count++;
    ArrayRef<Row> Window = Words.take_front(Count);
    Words = Words.drop_front(Count);
    if (costOfPieces(Window) < (Span(Window) <= NarrowWords ? NarrowCost : WideCost))
      cut(Window, Pieces);
    else
      lookAtWindow(Before, Index, Window);
  }
  for (const Rows &Alike : Pieces)
    if (!Alike.empty())
      lookAtPieces(Before, Index, Alike);
}

void ShadowMarks::mark(Instruction &Before, Value *Index, const ShadowWords &Words) {
  if (Thread)
    return markApart(Before, Index, Words);
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  Rows Read, Written;
  auto Add = [](Rows &To, int64_t Word) {
    if (!To.empty() && To.back().First + To.back().Count == Word && To.back().Count < WidestWords)
      To.back().Count++;
    else
      To.push_back({Word, 1});
  };
  for (auto [Word, Kinds] : Words) {
    auto Near = Words.lower_bound(Word - NearWords), Limit = Words.upper_bound(Word + NearWords);
    bool IsOurs = std::any_of(Near, Limit, [](const auto &Other) {
      return (Other.second & RETICLE_SHADOW_WRITTEN) != 0;
    });
    Add(IsOurs ? Written : Read, Word);
  }
  for (Row R : Written)
    touch(B, Index, R);
  look(Before, Index, Read);
}

void ShadowMarks::call(Instruction &Before, StringRef Name, ArrayRef<Value *> Values) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  SmallVector<Type *, 6> Types;
  for (Value *V : Values)
    Types.push_back(V->getType());
  FunctionCallee Function =
      M.getOrInsertFunction(Name, FunctionType::get(B.getVoidTy(), Types, false));
  B.CreateCall(Function, Values)->setDoesNotThrow();
}

void ShadowMarks::range(Instruction &Before, Value &Start, Value &Bytes, unsigned Kinds) {
  IRBuilder<> B(&Before);
  Value *Length = B.CreateZExtOrTrunc(&Bytes, B.getInt64Ty());
  if (Thread)
    call(Before, "__reticle_shadow_range_apart", {&Start, Length, B.getInt32(Kinds)});
  else
    call(Before, "__reticle_shadow_range", {&Start, Length});
}

void ShadowMarks::text(Instruction &Before, Value &Start, Value *Limit, unsigned Kinds) {
  IRBuilder<> B(&Before);
  Value *Most = Limit ? Limit : B.getInt64(UINT64_MAX);
  if (Thread)
    call(Before, "__reticle_shadow_text_apart", {&Start, Most, B.getInt32(Kinds)});
  else
    call(Before, "__reticle_shadow_text", {&Start, Most});
}

void ShadowMarks::compare(Instruction &Before, Value &A, Value &Other, Value *Limit, bool IsText,
                          bool First, bool Second) {
  IRBuilder<> B(&Before);
  uint32_t Flags = (IsText ? uint32_t(RETICLE_COMPARE_TEXT) : 0u) |
                   (First ? uint32_t(RETICLE_COMPARE_FIRST) : 0u) |
                   (Second ? uint32_t(RETICLE_COMPARE_SECOND) : 0u);
  call(Before, Thread ? "__reticle_shadow_compare_apart" : "__reticle_shadow_compare",
       {&A, &Other, Limit ? Limit : B.getInt64(UINT64_MAX), B.getInt32(Flags)});
}
