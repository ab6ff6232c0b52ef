#pragma once
// Cosine and exp_series at compile time. Schedules use them at run time too, so that a type and a
// plan of one schedule cannot differ.

namespace tailor {

/// cos(pi t), exact at t = 0, 1/2 and 1.
/// Domain: 0 <= t <= 1.
/// Error:  1e-15 absolute.
constexpr double cos_pi(double t) {
  if (t > .5) return -cos_pi(1 - t);
  if (t == .5) return 0;
  double const x = 3.141592653589793 * t;
  double term = 1, sum = 1;
  for (int n = 2; n <= 24; n += 2) {
    term *= -x * x / (n * (n - 1));
    sum += term;
  }
  return sum;
}

/// e^x by its series.
/// Domain: |x| <= 700.
/// Error:  2e-15 relative for |x| <= 20, growing with |x|.
constexpr double exp_series(double x) {
  // e^x = 2^n e^r with |r| <= ln 2 / 2, where 18 terms of the series are exact to double.
  constexpr double ln2 = 0.6931471805599453;
  int const n = static_cast<int>(x / ln2 + (x < 0 ? -.5 : .5));
  double const r = x - n * ln2;
  double term = 1, sum = 1;
  for (int k = 1; k <= 18; ++k) {
    term *= r / k;
    sum += term;
  }
  double const step = n < 0 ? .5 : 2;
  for (int i = 0; i < (n < 0 ? -n : n); ++i) sum *= step;
  return sum;
}

}  // namespace tailor
