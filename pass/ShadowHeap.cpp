// ShadowHeap.cpp - see ShadowHeap.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   define weak ptr @malloc(i64 %bytes) {
//     %p = tail call ptr @__reticle_heap_malloc(i64 %bytes)
//     ret ptr %p
//   }
//
// They come with the object file, not with the runtime's archive: a program without the feature has
// none of them, and the program's own definition wins.
#include "pass/ShadowHeap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

/// p: pointer, z: size_t, i: int, v: nothing; the first is what it returns.
struct Wrapped {
  const char *Name, *Types;
};

constexpr Wrapped Allocators[] = {
    {"malloc", "pz"},         {"calloc", "pzz"},         {"realloc", "ppz"},
    {"memalign", "pzz"},      {"aligned_alloc", "pzz"},  {"posix_memalign", "ipzz"},
    {"valloc", "pz"},         {"pvalloc", "pz"},         {"free", "vp"},
};

} // namespace

static Type *typeOf(char Letter, LLVMContext &Context) {
  switch (Letter) {
  case 'p':
    return PointerType::getUnqual(Context);
  case 'z':
    return Type::getInt64Ty(Context);
  case 'i':
    return Type::getInt32Ty(Context);
  default:
    return Type::getVoidTy(Context);
  }
}

static FunctionType *typeOf(const Wrapped &W, LLVMContext &Context) {
  SmallVector<Type *, 3> Arguments;
  for (const char *Letter = W.Types + 1; *Letter; Letter++)
    Arguments.push_back(typeOf(*Letter, Context));
  return FunctionType::get(typeOf(*W.Types, Context), Arguments, false);
}

static void wrap(Module &M, const Wrapped &W) {
  FunctionType *T = typeOf(W, M.getContext());
  Function *F = M.getFunction(W.Name);
  if (F && F->getFunctionType() != T)
    return; // the program means something else by it
  if (!F)
    F = Function::createWithDefaultAttr(T, GlobalValue::WeakAnyLinkage, 0, W.Name, &M);
  // What is known of libc's function, and how this file's declaration was meant, isn't true of the
  // body.
  F->setAttributes(AttributeList());
  F->setSubprogram(nullptr); // the declaration's
  F->setLinkage(GlobalValue::WeakAnyLinkage);
  F->setVisibility(GlobalValue::DefaultVisibility);
  F->setDSOLocal(false);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<Value *, 3> Arguments;
  for (Argument &A : F->args())
    Arguments.push_back(&A);
  CallInst *Call =
      B.CreateCall(M.getOrInsertFunction(("__reticle_heap_" + Twine(W.Name)).str(), T), Arguments);
  // Our frame would be one of the call stack.
  Call->setTailCallKind(CallInst::TCK_MustTail);
  if (T->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

void reticle::wrapAllocator(Module &M) {
  // Other libcs have other headers in front of their blocks.
  if (Triple(M.getTargetTriple()).isMusl())
    return;
  for (const Wrapped &W : Allocators)
    if (Function *F = M.getFunction(W.Name); F && !F->isDeclaration())
      return;
  for (const Wrapped &W : Allocators)
    wrap(M, W);
}
