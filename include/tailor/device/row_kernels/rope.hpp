#pragma once
// The rotary position embedding of one token.

#include <tailor/device/operations/rope.hpp>  // tailor::Rope

#include <cstdint>

namespace tailor {

/// All heads of one row of x, rotated by the angles of the row's position.
template <class T, class Space = Host>
struct RopeRow {
  Rope<T, Space> args;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    int const position = args.first_position + int(row % args.length);
    std::int64_t const half = args.head_dim / 2;
    T const* const cosines = args.cosines.row(position);
    T const* const sines = args.sines.row(position);
    T const sign = args.inverse ? T(-1) : T(1);
    for (int head = 0; head < args.heads; ++head) {
      T* const left = args.x.row(int(row)) + std::int64_t(head) * args.head_dim;
      T* const right = left + half;
      team.for_each(half, [=](std::int64_t i) {
        T const a = left[i], b = right[i], sine = sign * sines[i];
        left[i] = a * cosines[i] - b * sine;
        right[i] = b * cosines[i] + a * sine;
      });
    }
  }
};

}  // namespace tailor
