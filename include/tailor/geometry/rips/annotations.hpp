#pragma once
// A cochain over F2 that tells the class of every cycle, evaluated only on the edges asked for.

#include <tailor/geometry/rips/filtration.hpp>  // tailor::rips::Filtration, Edge, pairs
#include <tailor/geometry/rips/lune.hpp>        // tailor::rips::Word

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tailor::rips {

/// A vector over F2 whose coordinates are the births so far, youngest last.
using Column = std::vector<Word>;

/// phi(edge) in F2^births. Summed along a cycle it gives the class of the cycle, up to the
/// relations that deaths have brought. An edge either forms a tree (zero), starts a class (a unit
/// vector), or lies in a triangle with a witness c, whose boundary is zero:
///     phi(ab) = phi(ac) + phi(bc).
/// Both edges on the right are earlier ones, so the evaluation ends.
class Annotations {
 public:
  explicit Annotations(Filtration const& filtration)
      : edges_(filtration.edges),
        number_(pairs(filtration.points), 0),
        slot_(edges_.size(), unknown),
        witness_(edges_.size(), 0),
        spans_(1) {
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      number_[pair(edges_[e].a, edges_[e].b)] = static_cast<std::uint32_t>(e);
    }
  }

  void set_zero(std::size_t edge) { slot_[edge] = zero; }

  void set_generator(std::size_t edge, std::size_t generator) {
    spans_.push_back({.offset = pool_.size(), .first = generator / 64, .count = 1});
    pool_.push_back(Word{1} << (generator % 64));
    slot_[edge] = static_cast<std::uint32_t>(spans_.size() - 1);
  }

  void set_witness(std::size_t edge, int point) {
    witness_[edge] = static_cast<std::uint16_t>(point);
  }

  /// column += phi(ij)
  void add_to(Column& column, int i, int j) {
    Span const span = spans_[evaluate(number_[pair(i, j)])];
    if (column.size() < span.end()) column.resize(span.end(), 0);
    for (std::size_t w = 0; w < span.count; ++w) column[span.first + w] ^= pool_[span.offset + w];
  }

  /// Memory of the values held so far.
  std::size_t bytes() const { return pool_.size() * sizeof(Word) + spans_.size() * sizeof(Span); }

 private:
  /// The words [first, end) of a value; all others are zero.
  struct Span {
    std::size_t offset = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t end() const { return first + count; }
  };

  static constexpr std::uint32_t zero = 0;
  static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();

  static std::size_t pair(int i, int j) {
    return pairs(std::max(i, j)) + static_cast<std::size_t>(std::min(i, j));
  }

  /// The slot of phi(edge). The chain of witnesses can be as long as the filtration, hence a stack
  /// of our own.
  std::uint32_t evaluate(std::uint32_t edge) {
    stack_.assign(1, edge);
    while (!stack_.empty()) {
      std::uint32_t const top = stack_.back();
      if (slot_[top] != unknown) {
        stack_.pop_back();
        continue;
      }
      std::uint32_t const x = number_[pair(edges_[top].a, witness_[top])];
      std::uint32_t const y = number_[pair(edges_[top].b, witness_[top])];
      if (slot_[x] == unknown) stack_.push_back(x);
      if (slot_[y] == unknown) stack_.push_back(y);
      if (stack_.back() != top) continue;
      slot_[top] = sum(slot_[x], slot_[y]);
      stack_.pop_back();
    }
    return slot_[edge];
  }

  std::uint32_t sum(std::uint32_t x_slot, std::uint32_t y_slot) {
    if (x_slot == zero) return y_slot;
    if (y_slot == zero) return x_slot;
    if (x_slot == y_slot) return zero;
    Span const x = spans_[x_slot];
    Span const y = spans_[y_slot];
    Span result{.offset = pool_.size(), .first = std::min(x.first, y.first), .count = 0};
    result.count = std::max(x.end(), y.end()) - result.first;
    pool_.resize(pool_.size() + result.count, 0);
    Word* const words = pool_.data() + result.offset;
    for (Span const& part : {x, y}) {
      Word* const target = words + (part.first - result.first);
      for (std::size_t w = 0; w < part.count; ++w) target[w] ^= pool_[part.offset + w];
    }
    while (result.count > 0 && words[result.count - 1] == 0) --result.count;
    pool_.resize(result.offset + result.count);
    if (result.count == 0) return zero;
    spans_.push_back(result);
    return static_cast<std::uint32_t>(spans_.size() - 1);
  }

  std::vector<Edge> const& edges_;
  std::vector<std::uint32_t> number_;   ///< of the edge between two points
  std::vector<std::uint32_t> slot_;     ///< of an edge's value among the spans
  std::vector<std::uint16_t> witness_;  ///< of an edge without a value yet
  std::vector<Span> spans_;             ///< the first one is the zero value
  std::vector<Word> pool_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace tailor::rips
