// The vector instructions that the kernels are compiled for. Include before Highway.
//
// On x86-64 these are the baseline, SSE4, AVX2 and AVX-512, on ARM64 NEON. SSSE3 has nothing for
// doubles that the baseline has not, and the registers of SVE have no size at compile time, which
// rules out arrays of them (blocking by registers).
#pragma once

#ifdef TRELLIS_FEW_VECTOR_TARGETS  // Registers of two, four and eight: sanitizers take minutes.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
