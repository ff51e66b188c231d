// exp of eight floats, relative error below 2e-7 on [-87, 88]; 0 below, infinity above, NaN for NaN. Cephes' expf
// (Moshier, 1992): x = n ln 2 + r, a polynomial for e^r, n into the exponent.
// Private to the *_avx2.cpp files.
#pragma once

#include <immintrin.h>

namespace stint::kernels::avx2 {

inline __m256 exp(__m256 x) {
  const __m256 lowest = _mm256_set1_ps(-87.33654f);
  const __m256 highest = _mm256_set1_ps(88.37626f);
  // The operand order of min and max lets a NaN in x through.
  const __m256 inside = _mm256_max_ps(lowest, _mm256_min_ps(highest, x));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(inside, _mm256_set1_ps(1.44269504f)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), inside);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
  __m256 p = _mm256_set1_ps(1.9875691500e-4f);
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.3981999507e-3f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(8.3334519073e-3f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(4.1665795894e-2f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.6666665459e-1f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(5.0000001201e-1f));
  p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), _mm256_set1_ps(1));
  const __m256i exponent = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  const __m256 value = _mm256_mul_ps(p, _mm256_castsi256_ps(exponent));
  const __m256 small = _mm256_cmp_ps(x, lowest, _CMP_LT_OQ);
  const __m256 large = _mm256_cmp_ps(x, highest, _CMP_GT_OQ);
  return _mm256_andnot_ps(small, _mm256_blendv_ps(value, _mm256_set1_ps(__builtin_inff()), large));
}

}  // namespace stint::kernels::avx2
