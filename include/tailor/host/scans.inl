// No include guard: included once per instruction set, inside its namespace and target region, with
// `vector_bytes` defined there; see scans.hpp. Vectors are written out, so that -O2 is enough.

/// Vectors of a scan, anywhere in memory, and the places of their lanes.
typedef double Numbers __attribute__((vector_size(vector_bytes)));
typedef double NumbersInMemory __attribute__((vector_size(vector_bytes), aligned(8), may_alias));
typedef std::int64_t Places __attribute__((vector_size(vector_bytes)));
typedef std::int64_t PlacesInMemory
    __attribute__((vector_size(vector_bytes), aligned(8), may_alias));

inline constexpr int lanes = vector_bytes / int(sizeof(double));

inline Numbers numbers_at(double const* x) {
  return *reinterpret_cast<NumbersInMemory const*>(x);
}

/// The least number seen in every lane and its first place.
struct LeastOfLanes {
  Numbers least = std::numeric_limits<double>::infinity() - Numbers{};
  Places place = Places{};

  void add(Numbers x, Places at) {
    place = x < least ? at : place;
    least = x < least ? x : least;
  }
};

/// The least number seen, the first of several.
struct LeastOfAll {
  Least least{std::numeric_limits<double>::infinity(), 0};

  void add(double x, int at) {
    if (x < least.value || (x == least.value && at < least.place)) least = {x, at};
  }
  void add(LeastOfLanes const& of) {
    for (int k = 0; k < lanes; ++k) add(of.least[k], int(of.place[k]));
  }
};

inline Places first_places() {
  Places places;
  for (int k = 0; k < lanes; ++k) places[k] = k;
  return places;
}

/// See scans.hpp.
[[gnu::flatten]] inline Least least_of(double const* x, int n) {
  LeastOfLanes even, odd;
  Places at = first_places();
  int j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes, at += 2 * lanes) {
    even.add(numbers_at(x + j), at);
    odd.add(numbers_at(x + j + lanes), at + lanes);
  }
  LeastOfAll all;
  all.add(even);
  all.add(odd);
  for (; j < n; ++j) all.add(x[j], j);
  return all.least;
}

/// See scans.hpp.
[[gnu::flatten]] inline LeastTwo least_two_of(double const* x, double const* y, int n) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  LeastOfLanes even, odd;
  Numbers seconds[2] = {infinity - Numbers{}, infinity - Numbers{}};
  auto const add = [](LeastOfLanes& first, Numbers& second, Numbers difference, Places at) {
    Numbers const larger = difference < first.least ? first.least : difference;
    second = larger < second ? larger : second;
    first.add(difference, at);
  };
  Places at = first_places();
  int j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes, at += 2 * lanes) {
    add(even, seconds[0], numbers_at(x + j) - numbers_at(y + j), at);
    add(odd, seconds[1], numbers_at(x + j + lanes) - numbers_at(y + j + lanes), at + lanes);
  }
  LeastOfAll all;
  double second = infinity;
  auto const add_one = [&](double difference, int place) {
    second = std::min(second, std::max(all.least.value, difference));
    all.add(difference, place);
  };
  for (int k = 0; k < lanes; ++k) {
    add_one(even.least[k], int(even.place[k]));
    add_one(odd.least[k], int(odd.place[k]));
    second = std::min(second, std::min(seconds[0][k], seconds[1][k]));
  }
  for (; j < n; ++j) add_one(x[j] - y[j], j);
  return {all.least, second};
}

/// See scans.hpp.
[[gnu::flatten]] inline Least shorten(Step const& step, double* distance, std::int64_t* from,
                                      int n) {
  LeastOfLanes even, odd;
  auto const pass = [&](int j, LeastOfLanes& least, Places at) {
    Numbers const old = numbers_at(distance + j);
    Numbers const through = numbers_at(step.cost + j) - numbers_at(step.price + j) + step.offset;
    Places const came_from = *reinterpret_cast<PlacesInMemory const*>(from + j);
    *reinterpret_cast<PlacesInMemory*>(from + j) = through < old ? step.row - Places{} : came_from;
    Numbers const now = through < old ? through : old;
    *reinterpret_cast<NumbersInMemory*>(distance + j) = now;
    least.add(now, at);
  };
  Places at = first_places();
  int j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes, at += 2 * lanes) {
    pass(j, even, at);
    pass(j + lanes, odd, at + lanes);
  }
  LeastOfAll all;
  all.add(even);
  all.add(odd);
  for (; j < n; ++j) {
    double const through = step.cost[j] - step.price[j] + step.offset;
    if (through < distance[j]) {
      distance[j] = through;
      from[j] = step.row;
    }
    all.add(distance[j], j);
  }
  return all.least;
}
