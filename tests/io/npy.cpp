#include <tailor/io/npy.hpp>  // what is tested

#include <support/catch.hpp>             // Catch2
#include <support/temporary_folder.hpp>  // TemporaryFolder
#include <support/thrown_message.hpp>    // thrown_message, contains

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace {

using tailor::NpyError;
using tailor::read_npy;

/// A folder that goes with the test, and files in it.
struct Folder : TemporaryFolder {
  std::filesystem::path file(std::string const& bytes) const {
    std::ofstream(*this / "x.npy", std::ios::binary) << bytes;
    return *this / "x.npy";
  }
};

template <class... T>
std::string bytes_of(T... values) {
  std::string bytes;
  ((bytes.append(reinterpret_cast<char const*>(&values), sizeof values)), ...);
  return bytes;
}

/// A file as numpy writes it; `length` instead of the true header length where given.
std::string npy(std::string dictionary, std::string const& data, int version = 1,
                long length = -1) {
  std::size_t const prefix = version == 1 ? 10 : 12;
  dictionary.append((64 - (prefix + dictionary.size() + 1) % 64) % 64, ' ');
  dictionary += '\n';
  auto const size = std::uint32_t(length < 0 ? long(dictionary.size()) : length);
  return std::string("\x93NUMPY") + char(version) + '\0' +
         bytes_of(size).substr(0, version == 1 ? 2 : 4) + dictionary + data;
}

std::string dictionary(std::string const& type, bool fortran, std::string const& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

std::string fault(Folder const& folder, std::string const& bytes) {
  auto const path = folder.file(bytes);
  return thrown_message<NpyError>([&] { (void)read_npy<float>(path); });
}

}  // namespace

TEST_CASE("an npy file in C order, in Fortran order and of version 2 reads as its values", "[io]") {
  Folder const folder;
  std::string const c =
      npy(dictionary("<f4", false, "(2, 3)"), bytes_of(1.f, 2.f, 3.f, 4.f, 5.f, 6.f));
  std::string const f =
      npy(dictionary("<f4", true, "(2, 3)"), bytes_of(1.f, 4.f, 2.f, 5.f, 3.f, 6.f));
  std::string const v2 = npy(dictionary("<f4", false, "(3,)"), bytes_of(1.f, 2.f, 3.f), 2);
  for (auto const& bytes : {c, f}) {
    auto const array = read_npy<float>(folder.file(bytes));
    CHECK(array.shape == std::vector<std::int64_t>{2, 3});
    CHECK(array.values == std::vector<float>{1, 2, 3, 4, 5, 6});
  }
  CHECK(read_npy<double>(folder.file(v2)).values == std::vector<double>{1, 2, 3});
  CHECK(read_npy<float>(
            folder.file(npy(dictionary("<f4", false, "(3,)"), v2.substr(v2.size() - 12), 3)))
            .values == std::vector<float>{1, 2, 3});
}

TEST_CASE("Fortran order of three dimensions reads in C order", "[io]") {
  Folder const folder;
  std::string data;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) data += bytes_of(std::int32_t(100 * i + 10 * j + k));
    }
  }
  auto const array = read_npy<int>(folder.file(npy(dictionary("<i4", true, "(2, 3, 4)"), data)));
  int place = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) CHECK(array.values[std::size_t(place++)] == 100 * i + 10 * j + k);
    }
  }
}

TEST_CASE("every numeric type of 1 to 8 bytes reads, also big-endian", "[io]") {
  Folder const folder;
  auto const one = [&](std::string const& type, std::string const& data) {
    return read_npy<double>(folder.file(npy(dictionary(type, false, "()"), data))).values.at(0);
  };
  CHECK(one("|i1", bytes_of(std::int8_t(-5))) == -5);
  CHECK(one("|u1", bytes_of(std::uint8_t(251))) == 251);
  CHECK(one("<i2", bytes_of(std::int16_t(-300))) == -300);
  CHECK(one("<u2", bytes_of(std::uint16_t(65000))) == 65000);
  CHECK(one("<i4", bytes_of(std::int32_t(-70000))) == -70000);
  CHECK(one("<u4", bytes_of(std::uint32_t(4000000000))) == 4e9);
  CHECK(one("<i8", bytes_of(std::int64_t(-1) << 40)) == -1099511627776.0);
  CHECK(one("<u8", bytes_of(std::uint64_t(1) << 63)) == 9223372036854775808.0);
  CHECK(one("<f2", bytes_of(std::uint16_t(0x3c00))) == 1);
  CHECK(one("<f2", bytes_of(std::uint16_t(0x0001))) == 0x1p-24);
  CHECK(one("<f2", bytes_of(std::uint16_t(0xfbff))) == -65504);
  CHECK(one("<f2", bytes_of(std::uint16_t(0x7c00))) == std::numeric_limits<double>::infinity());
  CHECK(one("<f4", bytes_of(0.5f)) == 0.5);
  CHECK(one("<f8", bytes_of(0.1)) == 0.1);
  CHECK(one(">i2", std::string("\x01\x02", 2)) == 258);
  CHECK(one(">f4", std::string("\x3f\x80\x00\x00", 4)) == 1);
}

TEST_CASE("what write_npy writes read_npy gives back bit for bit", "[io]") {
  Folder const folder;
  std::vector<double> const values{0.1, -0.0, 1e300, std::numeric_limits<double>::denorm_min(),
                                   5,   6};
  tailor::write_npy<double>(folder / "a.npy", {3, 1, 2}, values);
  auto const array = read_npy<double>(folder / "a.npy");
  CHECK(array.shape == std::vector<std::int64_t>{3, 1, 2});
  CHECK(std::memcmp(array.values.data(), values.data(), 6 * sizeof(double)) == 0);
  CHECK(tailor::read_npy_header(folder / "a.npy").data_offset % 64 == 0);

  std::vector<std::uint16_t> const ids{0, 65535};
  tailor::write_npy<std::uint16_t>(folder / "a.npy", {2}, ids);
  CHECK(tailor::read_npy_header(folder / "a.npy").descr() == "<u2");
  CHECK(read_npy<std::uint16_t>(folder / "a.npy").values == ids);
  tailor::write_npy<float>(folder / "a.npy", {0, 3}, {});
  CHECK(read_npy<float>(folder / "a.npy").shape == std::vector<std::int64_t>{0, 3});
  CHECK_THROWS_AS(tailor::write_npy<float>(folder / "b.npy", {2}, {}), std::invalid_argument);
  CHECK(!std::filesystem::exists(folder / "b.npy"));
}

TEST_CASE("an integer that does not fit, or a float for an integer, is an error that names it",
          "[io]") {
  Folder const folder;
  auto const path = folder.file(
      npy(dictionary("<i8", false, "(2,)"), bytes_of(std::int64_t(7), std::int64_t(70000))));
  CHECK(read_npy<std::int32_t>(path).values == std::vector<std::int32_t>{7, 70000});
  CHECK(contains(thrown_message<NpyError>([&] { (void)read_npy<std::uint16_t>(path); }),
                 "data[1]: expected a value of 0 to 65535, got 70000"));
  auto const floats = folder.file(npy(dictionary("<f4", false, "(1,)"), bytes_of(1.f)));
  CHECK(contains(thrown_message<NpyError>([&] { (void)read_npy<int>(floats); }),
                 "descr: expected an integer type, got <f4"));
}

TEST_CASE("a file that was cut off anywhere is an error that names file and field", "[io]") {
  Folder const folder;
  std::string const whole = npy(dictionary("<f4", false, "(2, 3)"), std::string(24, '\0'));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK(contains(fault(folder, whole.substr(0, size)), "x.npy: npy "));
    CHECK(contains(fault(folder, whole.substr(0, size)), "expected"));
  }
  CHECK(contains(fault(folder, whole + "x"), "npy data: expected 24 bytes, got 25"));
}

TEST_CASE("a wrong header is an error that names the field", "[io]") {
  Folder const folder;
  std::string const data(24, '\0');
  CHECK(contains(fault(folder, "version https://git-lfs.github.com/spec/v1\n"), "git-lfs pointer"));
  CHECK(contains(fault(folder, std::string("\x93NUMPY\x04\x00\x02\x00{}", 12)),
                 "npy version: expected 1.0, 2.0 or 3.0, got 4.0"));
  CHECK(contains(fault(folder, npy(dictionary("<f4", false, "(2, 3)"), data, 2, 0x7fffffff)),
                 "npy header length: expected at most"));
  auto const wrong = [&](std::string const& text) { return fault(folder, npy(text, data)); };
  CHECK(contains(wrong(dictionary("|O", false, "(2,)")), "npy descr: expected f2, f4, f8"));
  CHECK(contains(wrong(dictionary("<f1", false, "(2,)")), "npy descr"));
  CHECK(contains(wrong(dictionary("|f4", false, "(2,)")), "npy descr"));
  CHECK(contains(wrong(dictionary("<c8", false, "(2,)")), "npy descr"));
  CHECK(contains(wrong("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
                 "npy descr: expected one numeric type"));
  CHECK(contains(wrong(dictionary("<f4", false, "(3)")), "npy shape"));
  CHECK(contains(wrong(dictionary("<f4", false, "(-2, 3)")), "npy shape"));
  CHECK(contains(wrong(dictionary("<f4", false, "(99999999999999999999,)")), "npy shape"));
  CHECK(contains(wrong(dictionary("<f4", false, "(4294967296, 4294967296)")),
                 "npy shape: expected a product that fits 63 bits"));
  CHECK(contains(wrong(dictionary("<f4", false, "(0, 4294967296, 4294967296)")), "npy shape"));
  CHECK(contains(wrong(dictionary("<f4", false, "(1000000000000,)")),
                 "npy data: expected 4000000000000 bytes, got 24"));
  CHECK(contains(wrong("{'descr': '<f4', 'fortran_order': maybe, 'shape': (2, 3)}"),
                 "npy fortran_order: expected True or False"));
  CHECK(contains(wrong("{'descr': '<f4', 'shape': (2, 3)}"), "got no fortran_order"));
  CHECK(contains(wrong("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}"),
                 "once each"));
  CHECK(contains(wrong("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}"),
                 "npy header"));
  CHECK(contains(wrong("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)"), "npy header"));
  CHECK(contains(wrong("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} import os"),
                 "nothing after the dictionary"));
  CHECK(!contains(wrong(dictionary("<f4", false, "(-2, 3)") + "\n"), "\n"));
}

TEST_CASE("values over the limit are refused before they are read", "[io]") {
  Folder const folder;
  auto const path = folder.file(npy(dictionary("<f4", false, "(2, 3)"), std::string(24, '\0')));
  CHECK(
      contains(thrown_message<NpyError>([&] { (void)read_npy<double>(path, {.limit_bytes = 47}); }),
               "npy shape: expected at most 47 bytes"));
  CHECK(read_npy<double>(path, {.limit_bytes = 48}).values.size() == 6);
}

TEST_CASE("a file that is not there is an error with the system's words", "[io]") {
  CHECK(
      contains(thrown_message<std::runtime_error>([] { (void)read_npy<float>("/nowhere/x.npy"); }),
               "cannot open /nowhere/x.npy: No such file"));
}
