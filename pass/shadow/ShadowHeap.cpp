// ShadowHeap.cpp - defines malloc and its kin in programs that use them, as calls of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   define weak ptr @malloc(i64 %bytes) {
//     %p = tail call ptr @__reticle_heap_malloc(i64 %bytes)
//     ret ptr %p
//   }
//
// They come with the object file, not with the runtime's archive: a program without the feature has
// none of them, and the program's own definition wins. Objects that use no heap have none either:
// makefiles of allocators read the names of their objects' symbols (jemalloc's renames all of
// them). mmap and its kin need no definition: their uses go straight to the runtime.
#include "pass/shadow/ShadowHeap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// p: pointer, z: size_t, i: int, v: nothing, .: any more; the first is what it returns.
struct Wrapped {
  const char *Name, *Types;
  const char *Stem = nullptr; ///< of the runtime's name, where that isn't the same
};

constexpr Wrapped Allocators[] = {
    {"malloc", "pz"},    {"calloc", "pzz"},        {"realloc", "ppz"},
    {"memalign", "pzz"}, {"aligned_alloc", "pzz"}, {"posix_memalign", "ipzz"},
    {"valloc", "pz"},    {"pvalloc", "pz"},        {"free", "vp"},
};

/// Where the module calls them. `delete` leads to free, so it needs nothing.
constexpr Wrapped News[] = {
    {"_Znwm", "pz", "new"},
    {"_Znam", "pz", "new_array"},
    {"_ZnwmRKSt9nothrow_t", "pzp", "new_nothrow"},
    {"_ZnamRKSt9nothrow_t", "pzp", "new_array_nothrow"},
    {"_ZnwmSt11align_val_t", "pzz", "new_aligned"},
    {"_ZnamSt11align_val_t", "pzz", "new_array_aligned"},
};

/// What they map has sites, and must not replace the marks. What the runtime calls in turn is what
/// the linker would have taken here (runtime/heap/map.c).
constexpr Wrapped Maps[] = {
    {"mmap", "ppziiiz"}, {"mmap64", "ppziiiz"}, {"munmap", "ipz"}, {"mremap", "ppzzi..."}};

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
  const char *Letter = W.Types + 1;
  for (; *Letter && *Letter != '.'; Letter++)
    Arguments.push_back(typeOf(*Letter, Context));
  return FunctionType::get(typeOf(*W.Types, Context), Arguments, *Letter == '.');
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
  if (!W.Stem) // operator new throws
    F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<Value *, 3> Arguments;
  for (Argument &A : F->args())
    Arguments.push_back(&A);
  Twine Stem = W.Stem ? W.Stem : W.Name;
  CallInst *Call =
      B.CreateCall(M.getOrInsertFunction(("__reticle_heap_" + Stem).str(), T), Arguments);
  // Our frame would be one of the call stack.
  Call->setTailCallKind(CallInst::TCK_MustTail);
  if (T->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  // Says to the runtime that this definition is no allocator: another module may have one, too.
  GlobalAlias::create(T, 0, GlobalValue::WeakAnyLinkage, "__reticle_of_" + Twine(W.Name), F, &M);
}

/// What a failing operator new needs, for static programs: the C++ library's own isn't linked
/// there. Who has handlers or clean-ups is linked with the library anyway; who hasn't may have
/// none.
static void keepThrow(Module &M) {
  auto HasHandlers = [](const Function &F) {
    return F.hasPersonalityFn() &&
           F.getPersonalityFn()->stripPointerCasts()->getName() == "__gxx_personality_v0";
  };
  if (none_of(M, HasHandlers))
    return;
  SmallVector<Constant *, 6> Parts;
  for (const char *Name : {"_ZSt15get_new_handlerv", "__cxa_allocate_exception", "__cxa_throw",
                           "_ZTISt9bad_alloc", "_ZTVSt9bad_alloc", "_ZNSt9bad_allocD1Ev"}) {
    Constant *Known = M.getNamedValue(Name);
    Parts.push_back(Known ? Known : M.getOrInsertGlobal(Name, Type::getInt8Ty(M.getContext())));
  }
  auto *T = ArrayType::get(PointerType::getUnqual(M.getContext()), Parts.size());
  appendToUsed(M, {new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                                      ConstantArray::get(T, Parts), "__reticle_libcxx")});
}

static bool isUsed(const Function *F) { return F && F->isDeclaration() && !F->use_empty(); }

/// Those that the module uses and doesn't define. Whether there are any.
static bool wrapUsed(Module &M, ArrayRef<Wrapped> List) {
  bool Any = false;
  for (const Wrapped &W : List)
    if (isUsed(M.getFunction(W.Name))) {
      wrap(M, W);
      Any = true;
    }
  return Any;
}

/// Whether the module allocates or frees, or is where the program begins: memory may come and go
/// in its libraries alone.
static bool usesHeap(const Module &M) {
  const Function *Main = M.getFunction("main");
  if (Main && !Main->isDeclaration())
    return true;
  auto IsAllocator = [](StringRef Name) {
    // operator new and delete
    return Name.starts_with("_Zn") || Name.starts_with("_Zd") ||
           any_of(Allocators, [&](const Wrapped &W) { return Name == W.Name; });
  };
  return any_of(M, [&](const Function &F) { return isUsed(&F) && IsAllocator(F.getName()); });
}

/// Whose definition is taken from an archive as if the module used the function itself.
static void keepReference(Module &M, Constant *Function) {
  // Not constant: for a read-only word the linker of a program at a fixed address (-no-pie) would
  // make an address of its own, which isn't that of libc's function any more.
  auto *Reference =
      new GlobalVariable(M, PointerType::getUnqual(M.getContext()), /*isConstant=*/false,
                         GlobalValue::InternalLinkage, Function, "__reticle_libc");
  appendToUsed(M, {Reference});
}

/// What the wrappers lead to in the end. In a static program nothing else need refer to it, and
/// then libc's malloc comes along with it and wins.
static void keepLibc(Module &M) {
  // A program may declare it, too: then a second one would get another name.
  Constant *Function = M.getNamedValue("__libc_malloc");
  if (!Function)
    Function = M.getOrInsertGlobal("__libc_malloc", Type::getInt8Ty(M.getContext()));
  keepReference(M, Function);
}

static void redirectMaps(Module &M) {
  for (const Wrapped &W : Maps) {
    FunctionType *T = typeOf(W, M.getContext());
    Function *F = M.getFunction(W.Name);
    if (isUsed(F) && F->getFunctionType() == T) { // else the program means something else by it
      F->replaceAllUsesWith(
          M.getOrInsertFunction(("__reticle_heap_" + Twine(W.Name)).str(), T).getCallee());
      keepReference(M, F);
    }
  }
}

bool reticle::isAllocator(StringRef Name) {
  auto Has = [Name](ArrayRef<Wrapped> List) {
    return any_of(List, [Name](const Wrapped &W) { return Name == W.Name; });
  };
  return Has(Allocators) || Has(News) || Has(Maps);
}

void reticle::wrapAllocator(Module &M) {
  // Other libcs have other headers in front of their blocks.
  if (Triple(M.getTargetTriple()).isMusl())
    return;
  redirectMaps(M);
  if (!usesHeap(M))
    return;
  if (wrapUsed(M, News))
    keepThrow(M);
  for (const Wrapped &W : Allocators)
    if (GlobalValue *Known = M.getNamedValue(W.Name); Known && !Known->isDeclaration())
      return; // also an alias, which is no function
  for (const Wrapped &W : Allocators)
    wrap(M, W);
  keepLibc(M);
}
