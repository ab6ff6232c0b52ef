#include <tailor/geometry/profile.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <vector>

using namespace tailor;

TEST_CASE("an estimate is the mean with the standard error s / sqrt(k)", "[geometry]") {
  Estimate const four = estimate(std::vector<double>{1, 2, 3, 6});
  CHECK(four.mean == 3);
  CHECK(four.standard_error.value() == Approx(std::sqrt(14.0 / 3 / 4)));
  CHECK(four.samples == 4);
  CHECK(four.status == Status::ok);
}

TEST_CASE("one value has no standard error, none is undefined", "[geometry]") {
  Estimate const one = estimate(std::vector<double>{5});
  CHECK(one.mean == 5);
  CHECK_FALSE(one.standard_error);
  CHECK(estimate({}).status == Status::undefined);
}

TEST_CASE("a layer without a dimension is named", "[geometry]") {
  Profile profile;
  profile.layers.resize(2);
  profile.layers[0].name = "layers.0";
  profile.layers[0].dimension = {.mean = 4, .status = Status::ok};
  profile.layers[1].name = "layers.1";
  CHECK(thrown_message<std::invalid_argument>([&] { (void)dimensions(profile); }) ==
        "the intrinsic dimension is undefined in layers.1");
}
