#pragma once
// The continuous optimum: widths that minimise the surrogate and spend exactly the budget.
//
// With a multiplier mu for the budget, a layer between its bounds satisfies
//     exponent * weight / (price * reference) * (w / reference)^(-exponent - 1) = mu .
// In logarithms, u = log(w / reference) and m = log(mu), that is a straight line,
//     u = (g - m) / (exponent + 1),   g = log(exponent * weight / (price * reference)) ,
// so what the widths spend falls monotonically in m, and m is found by bisection. No power of a
// difficulty is ever formed: any scale that fits a double works.

#include <tailor/allocation/surrogate.hpp>  // Surrogate, require_valid, log_weight

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// Minimise the surrogate subject to sum_l prices_l * w_l = budget and floors_l <= w_l <= caps_l.
/// Empty floors mean 0, empty caps mean none.
struct WidthProblem {
  Surrogate surrogate;
  std::vector<double> prices;
  double budget = 0;
  std::vector<double> floors = {};
  std::vector<double> caps = {};

  double floor(std::size_t layer) const { return floors.empty() ? 0.0 : floors[layer]; }
  double cap(std::size_t layer) const {
    return caps.empty() ? std::numeric_limits<double>::infinity() : caps[layer];
  }
};

/// `optimal`: the budget is spent exactly. `caps_bind`: every layer is at its cap and some budget
/// is left. `infeasible_floors`: every layer is at its floor, and that already exceeds the budget.
enum class OptimumStatus { optimal, caps_bind, infeasible_floors };

/// What `optimize_widths` found. `log_mu` is the natural logarithm of the multiplier mu: one more
/// parameter lowers the surrogate by mu. It and the residual have no meaning unless `optimal`.
struct Optimum {
  OptimumStatus status = OptimumStatus::optimal;
  std::vector<double> widths;
  double spent = 0;
  double log_mu = 0;
  double kkt_residual = 0;
  std::vector<int> at_floor;  ///< layers whose floor binds
  std::vector<int> at_cap;    ///< layers whose cap binds
};

/// Throws std::invalid_argument, naming the layer, unless prices are positive and 0 <= floor <=
/// cap.
inline void require_valid(WidthProblem const& p) {
  require_valid(p.surrogate);
  std::size_t const layers = p.surrogate.layers();
  require_positive(p.prices, layers, "price");
  for (auto const* bounds : {&p.floors, &p.caps})
    if (!bounds->empty() && bounds->size() != layers)
      throw std::invalid_argument("allocation: expected " + std::to_string(layers) + " " +
                                  (bounds == &p.floors ? "floors" : "caps") +
                                  ", one per layer, got " + std::to_string(bounds->size()));
  for (std::size_t l = 0; l < layers; ++l)
    if (!(p.floor(l) >= 0) || !std::isfinite(p.floor(l)) || !(p.cap(l) > 0) ||
        !(p.floor(l) <= p.cap(l)))
      throw std::invalid_argument("allocation: layer " + std::to_string(l) +
                                  " needs 0 <= floor <= cap and cap > 0, got floor " +
                                  detail::text_of(p.floor(l)) + " and cap " +
                                  detail::text_of(p.cap(l)));
  if (!(p.budget > 0) || !std::isfinite(p.budget))
    throw std::invalid_argument("allocation: the budget must be positive and finite, got " +
                                detail::text_of(p.budget));
}

/// g of the derivation above: the logarithm of what one more parameter in this layer gains at its
/// reference width.
inline double log_gain(WidthProblem const& p, std::size_t layer) {
  Surrogate const& s = p.surrogate;
  return std::log(s.exponents[layer]) + log_weight(s, layer) - std::log(p.prices[layer]) -
         std::log(s.reference_widths[layer]);
}

/// sum_l prices_l * w_l.
inline double spent_by(std::span<double const> prices, std::span<double const> widths) {
  return std::inner_product(prices.begin(), prices.end(), widths.begin(), 0.0);
}

/// How far widths and multiplier are from the conditions of an optimum, relative: the largest of
/// |spent / budget - 1| and, per layer, of gain / mu - 1, where gain is what one more parameter
/// gains; at a floor only a gain above mu counts, at a cap only one below it.
/// A point with residual 0 is the unique optimum, because the surrogate is strictly convex
inline double kkt_residual(WidthProblem const& p, std::span<double const> widths, double log_mu) {
  double residual = std::abs(spent_by(p.prices, widths) / p.budget - 1);
  for (std::size_t l = 0; l < widths.size(); ++l) {
    double const u = std::log(widths[l] / p.surrogate.reference_widths[l]);
    double excess = std::expm1(log_gain(p, l) - (p.surrogate.exponents[l] + 1) * u - log_mu);
    if (widths[l] <= p.floor(l)) excess = std::max(excess, 0.0);
    if (widths[l] >= p.cap(l)) excess = std::min(excess, 0.0);
    if (p.floor(l) < p.cap(l)) residual = std::max(residual, std::abs(excess));
  }
  return residual;
}

/// The widths that minimise the surrogate under the budget.
/// Cost:   O(L) per bisection step, about 60 steps.
/// Domain: `require_valid`. Difficulties may be as small or large as a normal double. Where two
///         layers' difficulties, to the power, are over 1e250 apart, the KKT residual may overflow
///         to infinity; budget and bounds still hold.
/// @post   the budget is spent to 1e-12 and the KKT residual is below 1e-10
/// @post   widths do not change when all widths, floors and the budget are given in another unit
/// @post   widths do not change when every difficulty is multiplied by one number
/// @post   a layer's width does not fall when its difficulty or the budget grows
inline Optimum optimize_widths(WidthProblem const& p) {
  require_valid(p);
  std::size_t const layers = p.surrogate.layers();
  // Where the sums of bounds equal the budget in exact arithmetic, rounding must not decide.
  double const rounding = 1e-14 * p.budget;
  double least = 0, most = 0, all_prices = 0;
  for (std::size_t l = 0; l < layers; ++l) {
    least += p.prices[l] * p.floor(l);
    most += p.prices[l] * p.cap(l);
    all_prices += p.prices[l];
  }

  std::vector<double> gain(layers);
  for (std::size_t l = 0; l < layers; ++l) gain[l] = log_gain(p, l);
  auto const log_mu_at = [&](std::size_t l, double width) {
    return gain[l] -
           (p.surrogate.exponents[l] + 1) * std::log(width / p.surrogate.reference_widths[l]);
  };
  auto const widths_at = [&](double log_mu) {
    std::vector<double> widths(layers);
    for (std::size_t l = 0; l < layers; ++l) {
      // No layer can take more than the whole budget; the bound also keeps exp from overflowing.
      double const affordable = p.budget / p.prices[l] / p.surrogate.reference_widths[l];
      double const u =
          std::min((gain[l] - log_mu) / (p.surrogate.exponents[l] + 1), std::log(affordable));
      widths[l] = std::clamp(p.surrogate.reference_widths[l] * std::exp(u), p.floor(l), p.cap(l));
    }
    return widths;
  };

  Optimum optimum;
  if (least > p.budget + rounding || most < p.budget - rounding) {
    bool const floors = least > p.budget;
    optimum.status = floors ? OptimumStatus::infeasible_floors : OptimumStatus::caps_bind;
    for (std::size_t l = 0; l < layers; ++l) {
      optimum.widths.push_back(floors ? p.floor(l) : p.cap(l));
      (floors ? optimum.at_floor : optimum.at_cap).push_back(static_cast<int>(l));
    }
    optimum.spent = spent_by(p.prices, optimum.widths);
    return optimum;
  }

  // Bracket: below `lower` some layer alone takes the budget or all are at their caps; at `upper`
  // every layer is at its floor or at an equal share of what the floors leave.
  double const share = std::max((p.budget - least) / all_prices, 1e-15 * p.budget / all_prices);
  double lower = std::numeric_limits<double>::infinity(), upper = -lower;
  for (std::size_t l = 0; l < layers; ++l) {
    lower = std::min(lower, log_mu_at(l, std::min(p.cap(l), p.budget / p.prices[l])));
    upper = std::max(upper, log_mu_at(l, share));
  }
  while (true) {
    double const middle = std::midpoint(lower, upper);
    if (!(lower < middle && middle < upper)) break;
    (spent_by(p.prices, widths_at(middle)) >= p.budget ? lower : upper) = middle;
  }
  auto const misspent = [&](double log_mu) {
    return std::abs(spent_by(p.prices, widths_at(log_mu)) - p.budget);
  };
  optimum.log_mu = misspent(lower) <= misspent(upper) ? lower : upper;
  optimum.widths = widths_at(optimum.log_mu);
  optimum.spent = spent_by(p.prices, optimum.widths);
  optimum.kkt_residual = kkt_residual(p, optimum.widths, optimum.log_mu);
  for (std::size_t l = 0; l < layers; ++l) {
    if (optimum.widths[l] <= p.floor(l)) optimum.at_floor.push_back(static_cast<int>(l));
    if (optimum.widths[l] >= p.cap(l)) optimum.at_cap.push_back(static_cast<int>(l));
  }
  return optimum;
}

}  // namespace tailor
