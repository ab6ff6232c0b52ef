#pragma once
// The distributions that paired comparisons need, from Boost.Math, in one place.

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace tailor {

/// The two-sided p value of a t statistic. An infinite t has p 0.
/// Domain: degrees >= 1.
inline double two_sided_p(double t, int degrees) {
  if (std::isinf(t)) return 0;
  boost::math::students_t const distribution(degrees);
  return 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)));
}

/// The t that a statistic exceeds in absolute value with probability `alpha`.
/// Domain: degrees >= 1, 0 < alpha < 1.
inline double critical_t(double alpha, int degrees) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(degrees), alpha / 2));
}

/// The power of a two-sided t test at level `alpha`: the probability that |T| exceeds the critical
/// value where T has the noncentral t distribution with this shift (true mean / standard error).
/// Domain: degrees >= 1, 0 < alpha < 1, 0 <= shift < 1e4.
inline double t_test_power(double shift, double alpha, int degrees) {
  double const critical = critical_t(alpha, degrees);
  boost::math::non_central_t const distribution(degrees, shift);
  return boost::math::cdf(boost::math::complement(distribution, critical)) +
         boost::math::cdf(distribution, -critical);
}

/// The shift (true mean / standard error) at which that test has the given power.
/// Cost:   about 60 evaluations of the noncentral t distribution.
/// Domain: alpha < power < 1.
/// @post   at the detectable shift the power is the one asked for
inline double detectable_shift(double alpha, double power, int degrees) {
  double lower = 0, upper = 1;
  while (t_test_power(upper, alpha, degrees) < power) upper *= 2;
  while (upper - lower > 1e-10 * upper) {
    double const middle = std::midpoint(lower, upper);
    (t_test_power(middle, alpha, degrees) < power ? lower : upper) = middle;
  }
  return upper;
}

/// Standard normal distribution function and its inverse.
inline double normal_cdf(double z) {
  return boost::math::cdf(boost::math::normal(), z);
}
inline double normal_quantile(double p) {
  return boost::math::quantile(boost::math::normal(), p);
}

}  // namespace tailor
