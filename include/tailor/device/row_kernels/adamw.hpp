#pragma once
// One AdamW step for a run of parameters.

#include <tailor/device/operations/adamw.hpp>  // tailor::AdamW
#include <tailor/device/square_root.hpp>       // tailor::square_root

#include <cstdint>

namespace tailor {

/// Parameters [row * width, (row + 1) * width), as far as there are that many. A row, not an
/// element, so that the scalars are read once and the loop has nothing but arithmetic.
template <class T, class Space = Host>
struct AdamWRow {
  AdamW<T, Space> args;
  static constexpr std::int64_t width = 1024;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    AdamWScalars const scalars = *args.scalars.data;
    if (scalars.gradient_scale == 0) return;
    std::int64_t const first = row * width, left = args.parameters.size - first;
    T* const parameters = args.parameters.data + first;
    T const* const gradients = args.gradients.data + first;
    T* const first_moment = args.first_moment.data + first;
    T* const second_moment = args.second_moment.data + first;
    T const scale = T(scalars.gradient_scale);
    T const beta1 = T(args.beta1), rest1 = T(1 - args.beta1);
    T const beta2 = T(args.beta2), rest2 = T(1 - args.beta2);
    T const step = T(scalars.learning_rate * scalars.first_correction);
    T const decay = T(1 - scalars.learning_rate * args.weight_decay);
    T const correction = T(scalars.second_correction), eps = T(args.eps);
    team.for_each(left < width ? left : width, [=](std::int64_t i) {
      T const gradient = scale * gradients[i];
      T const m = beta1 * first_moment[i] + rest1 * gradient;
      T const v = beta2 * second_moment[i] + rest2 * gradient * gradient;
      first_moment[i] = m;
      second_moment[i] = v;
      parameters[i] = decay * parameters[i] - step * m / (square_root(v * correction) + eps);
    });
  }
};

}  // namespace tailor
