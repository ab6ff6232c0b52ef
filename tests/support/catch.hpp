#pragma once
// Catch2 under one name: version 2 on Debian 12, version 3 elsewhere.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
namespace Catch {
inline auto Contains(std::string const& text) {
  return Matchers::ContainsSubstring(text);
}
}  // namespace Catch
#endif
