// ShadowText.cpp - puts a call of the runtime behind each call of libc's str* and mem* functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   call void @__reticle_shadow_text(ptr %from, i64 -1)      what it reads: as it still is
//   %p = call ptr @strcpy(ptr %to, ptr %from)
//   call void @__reticle_shadow_text(ptr %to, i64 -1)        what it wrote
//
// libc's own code has no marks. Exactly the bytes that the function's definition looks at: a text
// with its end, up to the first difference, up to what was found.
#include "pass/shadow/ShadowText.h"
#include "include/reticle/abi.h"
#include "pass/shadow/ShadowMarks.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace reticle;

static constexpr unsigned Read = RETICLE_SHADOW_READ, Written = RETICLE_SHADOW_WRITTEN;

namespace {

/// What a function does with its arguments. d, s: texts or memory in that order; n: a length.
enum class Action {
  Length,        ///< s: text
  LengthLimited, ///< s, n: text of at most n
  Copy,          ///< d, s: text
  CopyLimited,   ///< d, s, n: n bytes of d, text of at most n
  Append,        ///< d, s: both texts
  AppendLimited, ///< d, s, n
  Compare,       ///< s, s: up to the first difference or the end
  CompareLimited,
  CompareMemory, ///< s, s, n: up to the first difference
  Find,          ///< s, c: up to where it was found
  FindLast,      ///< s, c: text
  FindMemory,    ///< s, c, n: up to where it was found
  Duplicate,     ///< s: text; gives another one
  MoveMemory,    ///< d, s, n
  SetMemory,     ///< d, c, n
};

struct Known {
  const char *Name;
  Action What;
  const char *Types; ///< p: pointer, z: size_t, i: int; the first is what it returns
};

constexpr Known Functions[] = {
    {"strlen", Action::Length, "zp"},          {"strnlen", Action::LengthLimited, "zpz"},
    {"strcpy", Action::Copy, "ppp"},           {"stpcpy", Action::Copy, "ppp"},
    {"strncpy", Action::CopyLimited, "pppz"},  {"stpncpy", Action::CopyLimited, "pppz"},
    {"strcat", Action::Append, "ppp"},         {"strncat", Action::AppendLimited, "pppz"},
    {"strcmp", Action::Compare, "ipp"},        {"strncmp", Action::CompareLimited, "ippz"},
    {"memcmp", Action::CompareMemory, "ippz"}, {"bcmp", Action::CompareMemory, "ippz"},
    {"strchr", Action::Find, "ppi"},           {"strrchr", Action::FindLast, "ppi"},
    {"memchr", Action::FindMemory, "ppiz"},    {"strdup", Action::Duplicate, "pp"},
    {"memcpy", Action::MoveMemory, "pppz"},    {"memmove", Action::MoveMemory, "pppz"},
    {"mempcpy", Action::MoveMemory, "pppz"},   {"memset", Action::SetMemory, "ppiz"},
};

} // namespace

static const Known *knownFunction(StringRef Name) {
  for (const Known &K : Functions)
    if (Name == K.Name)
      return &K;
  return nullptr;
}

static bool isA(const Type *T, char Letter) {
  return Letter == 'p' ? T->isPointerTy() : T->isIntegerTy(Letter == 'z' ? 64 : 32);
}

/// Whether it is libc's function, as far as the declaration says.
static bool fits(const Function &F, const char *Types) {
  const FunctionType *T = F.getFunctionType();
  if (!F.isDeclaration() || T->isVarArg() || !isA(T->getReturnType(), *Types))
    return false;
  for (const Type *Parameter : T->params())
    if (!*++Types || !isA(Parameter, *Types))
      return false;
  return !*++Types;
}

namespace {

class TextCall {
public:
  TextCall(CallInst &Call, ShadowMarks &Marks, function_ref<bool(const Value *)> IsLeftOut)
      : Call(Call), Behind(Call.getNextNode()), Marks(Marks), IsLeftOut(IsLeftOut) {}
  void mark(Action What);

private:
  Value *argument(unsigned I) const { return Call.getArgOperand(I); }
  bool isWanted(unsigned I) const { return !IsLeftOut(argument(I)); }
  // Mark what an argument points to, if it is wanted.
  void text(unsigned I, Value *Limit, Instruction *Before, unsigned Kinds) {
    if (isWanted(I))
      Marks.text(*Before, *argument(I), Limit, Kinds);
  }
  void memory(unsigned I, Value *Bytes, Instruction *Before, unsigned Kinds) {
    if (isWanted(I))
      Marks.range(*Before, *argument(I), *Bytes, Kinds);
  }
  void compare(Value *Limit, bool IsText);
  void find(Value *Limit);

  CallInst &Call;
  Instruction *Behind; ///< of the call
  ShadowMarks &Marks;
  function_ref<bool(const Value *)> IsLeftOut;
};

} // namespace

void TextCall::compare(Value *Limit, bool IsText) {
  bool First = isWanted(0), Second = isWanted(1);
  if (First || Second)
    Marks.compare(Call, *argument(0), *argument(1), Limit, IsText, First, Second);
}

/// Limit: null of a text.
void TextCall::find(Value *Limit) {
  if (!isWanted(0))
    return;
  IRBuilder<> B(Behind);
  Value *Start = B.CreatePtrToInt(argument(0), B.getInt64Ty());
  Value *Place = B.CreatePtrToInt(&Call, B.getInt64Ty());
  Value *UpTo = B.CreateAdd(B.CreateSub(Place, Start), B.getInt64(1));
  if (Limit)
    Marks.range(*Behind, *argument(0), *B.CreateSelect(B.CreateIsNull(&Call), Limit, UpTo), Read);
  else // the place of the end may be what was looked for
    Marks.text(*Behind, *argument(0), B.CreateSelect(B.CreateIsNull(&Call), B.getInt64(-1), UpTo),
               Read);
}

void TextCall::mark(Action What) {
  switch (What) {
  case Action::Length:
    if (isWanted(0))
      memory(0, IRBuilder<>(Behind).CreateAdd(&Call, ConstantInt::get(Call.getType(), 1)), Behind,
             Read);
    break;
  case Action::LengthLimited:
    text(0, argument(1), &Call, Read);
    break;
  case Action::Copy:
    text(1, nullptr, &Call, Read);
    text(0, nullptr, Behind, Written);
    break;
  case Action::CopyLimited:
    text(1, argument(2), &Call, Read);
    memory(0, argument(2), Behind, Written);
    break;
  case Action::Append:
  case Action::AppendLimited:
    text(1, What == Action::Append ? nullptr : argument(2), &Call, Read);
    text(0, nullptr, Behind, Read | Written); // the old text is read, what comes behind it written
    break;
  case Action::Compare:
    compare(nullptr, true);
    break;
  case Action::CompareLimited:
    compare(argument(2), true);
    break;
  case Action::CompareMemory:
    compare(argument(2), false);
    break;
  case Action::Find:
    find(nullptr);
    break;
  case Action::FindLast:
    text(0, nullptr, &Call, Read);
    break;
  case Action::FindMemory:
    find(argument(2));
    break;
  case Action::Duplicate:
    text(0, nullptr, &Call, Read);
    Marks.text(*Behind, Call, nullptr, Written); // nothing at null
    break;
  case Action::MoveMemory:
    memory(1, argument(2), &Call, Read);
    memory(0, argument(2), Behind, Written);
    break;
  case Action::SetMemory:
    memory(0, argument(2), Behind, Written);
    break;
  }
}

void reticle::markTextCall(CallInst &Call, ShadowMarks &Marks,
                           function_ref<bool(const Value *)> IsLeftOut) {
  const Function *F = Call.getCalledFunction();
  const Known *K = F ? knownFunction(F->getName()) : nullptr;
  if (K && fits(*F, K->Types) && !Call.isMustTailCall())
    TextCall(Call, Marks, IsLeftOut).mark(K->What);
}
