/* reticle.h - regions by hand: parts of a program that Reticle times as it times loops.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   RETICLE_REGION_BEGIN("parse");
 *   ...
 *   RETICLE_REGION_END;
 *
 *   RETICLE_REGION("parse");          C++: until the end of the scope, however it is left
 *   reticle::region r("parse");       the same as an object
 *
 *   RETICLE_TAG(bytes);               how much work the execution around it has
 *   RETICLE_SHADOW_SAMPLES(), RETICLE_REPORT()      what is known so far: see below
 *
 * For C (also C89) and C++, any compiler. Compiled with Reticle's plug-in this is live; without it
 * nothing of it reaches the program. Begin and end lie in one function; END ends the region begun
 * last. What can't be right is a warning of the compiler: docs/regions.md.
 */
#ifndef RETICLE_H
#define RETICLE_H

/* The plug-in answers by defining __RETICLE__, also where the compiler only preprocesses. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma reticle
#pragma clang diagnostic pop
#endif

#if defined(__RETICLE__)

#if defined(__cplusplus) && __cplusplus >= 201402L
#define RETICLE_REGION_INLINE constexpr inline __attribute__((__always_inline__, __nothrow__))
#elif defined(__cplusplus)
#define RETICLE_REGION_INLINE inline __attribute__((__always_inline__, __nothrow__))
#else
#define RETICLE_REGION_INLINE                                                                      \
  extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __nothrow__))
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* Calls of these are what the plug-in looks for: it puts its gates in their place. */
RETICLE_REGION_INLINE void __reticle_region_begin(const char *name) { (void)name; }
RETICLE_REGION_INLINE void __reticle_region_end(void) {}
#ifdef __cplusplus
}
#endif

#define RETICLE_REGION_BEGIN(name) __reticle_region_begin("" name)
#define RETICLE_REGION_END __reticle_region_end()

#ifdef __cplusplus
extern "C" {
#endif
long reticle_shadow_samples(void);
int reticle_report(void);
void reticle_tag(unsigned long value) __attribute__((__nothrow__));
#ifdef __cplusplus
}
#endif

/* Samples of touched memory so far (feature shadow); -1 if none are taken. */
#define RETICLE_SHADOW_SAMPLES() reticle_shadow_samples()
/* Writes the profile as it stands and prints the report, as at exit; the program goes on. 0, or
 * below 0 if that failed or nothing is measured. Not from signal handlers. */
#define RETICLE_REPORT() reticle_report()
/* The work of each timed execution that this is inside of, of loops, iterations and regions: bytes,
 * records, a whole number >= 0. Tags within one execution add up. */
#define RETICLE_TAG(value) reticle_tag((unsigned long)(value))

#else /* no plug-in */

/* Still checks that the name is a string literal. */
#define RETICLE_REGION_BEGIN(name) ((void)sizeof("" name))
#define RETICLE_REGION_END ((void)0)

#define RETICLE_SHADOW_SAMPLES() (-1L)
#define RETICLE_REPORT() (-1)
#define RETICLE_TAG(value) ((void)sizeof(value))

#endif

#ifdef __cplusplus

#if __cplusplus >= 201103L
#define RETICLE_REGION_NOEXCEPT noexcept
#define RETICLE_REGION_DELETE = delete
#else
#define RETICLE_REGION_NOEXCEPT throw()
#define RETICLE_REGION_DELETE
#endif

namespace reticle {

/** A region from here to the end of the scope. The name is a string literal. Members of other
 * objects and objects on the heap don't end in the function that begins them, and measure nothing.
 */
class __attribute__((__unused__)) region {
public:
#if defined(__RETICLE__)
  __attribute__((__always_inline__)) explicit region(const char *name) RETICLE_REGION_NOEXCEPT {
    __reticle_region_begin(name);
  }
  __attribute__((__always_inline__)) ~region() { __reticle_region_end(); }
#else
  __attribute__((__always_inline__)) explicit region(const char *) RETICLE_REGION_NOEXCEPT {}
#endif

private:
  region(const region &) RETICLE_REGION_DELETE;
  region &operator=(const region &) RETICLE_REGION_DELETE;
};

} /* namespace reticle */

#if defined(__RETICLE__)
#define RETICLE_REGION_PASTE_(a, b) a##b
#define RETICLE_REGION_PASTE(a, b) RETICLE_REGION_PASTE_(a, b)
#define RETICLE_REGION(name)                                                                       \
  ::reticle::region RETICLE_REGION_PASTE(reticle_region_, __LINE__)("" name)
#else
#define RETICLE_REGION(name) ((void)sizeof("" name))
#endif

#endif /* __cplusplus */

#endif
