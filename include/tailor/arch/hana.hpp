#pragma once
// Lists of shapes and architectures as Boost.Hana tuples of types, for tests, benches and examples
// that walk them. Opt-in: nothing else of the library includes this header or needs Boost.

#include <tailor/arch/budget.hpp>       // tailor::parameters, tailor::Count
#include <tailor/arch/dims.hpp>         // tailor::Dims
#include <tailor/arch/shape.hpp>        // tailor::Shape
#include <tailor/arch/transformer.hpp>  // tailor::Transformer, tailor::Architecture

#include <boost/hana/for_each.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>
#include <cstdint>
#include <utility>

namespace tailor {

/// `shapes<Conventional<4>, Hourglass<4, 64>>`: a list of shapes.
template <Shape... Shapes>
inline constexpr auto shapes = boost::hana::tuple_t<Shapes...>;

/// `architectures<Small, Reference>`: a list of architectures.
template <Architecture... Architectures>
inline constexpr auto architectures = boost::hana::tuple_t<Architectures...>;

/// Every shape of a list at the same sizes, as a list of architectures.
template <Dims D, class List>
constexpr auto at_dims(List const& list) {
  return boost::hana::transform(list, [](auto shape) {
    return boost::hana::type_c<Transformer<typename decltype(shape)::type, D>>;
  });
}

/// Calls f.operator()<Type>() for every type of a list, first to last.
template <class List, class F>
constexpr void for_each_type(List const& list, F&& f) {
  boost::hana::for_each(
      list, [&f](auto type) { f.template operator()<typename decltype(type)::type>(); });
}

/// All architectures of a list have equally many parameters of the named count.
/// @post   equal budgets over a list are same_budget of every pair
template <Count C = Count::matrices, class List>
constexpr bool all_same_budget(List const& list) {
  bool first = true, equal = true;
  std::int64_t expected = 0;
  for_each_type(list, [&]<class A>() {
    auto const count = parameters<A>(C);
    if (first) expected = count;
    first = false;
    equal = equal && count == expected;
  });
  return equal;
}

}  // namespace tailor
