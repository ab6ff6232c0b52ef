#pragma once
// Births and deaths of H1 while the edges of a filtration enter one by one, read off their lunes.
//
// Why it is right. The complex at length t holds every clique of edges no longer than t; ties are
// put in some order, since any order that refines the lengths gives the same bars. Let K be the
// complex before the edge ab, K' after it, and L its lune: the complex induced on the points joined
// to both. Every new simplex contains ab, so K' is K together with ab * L, which is contractible,
// and the two meet in {a, b} * L, the suspension of L. Mayer-Vietoris over F2 then leaves two
// cases.
//   1. L is empty: the suspension is two points. Either they were in different components of K, and
//      ab is a tree edge, or a class is born.
//   2. L is not empty: the suspension is connected and H1(K') is H1(K) divided by the image of the
//      reduced H0 of L. That is spanned by one 4-cycle a - c0 - b - cj per component of L beyond
//      the first, with c0 and cj any points of the components.
// So H1 has one generator per birth and one relation per 4-cycle. Reducing the relations in their
// order, each against the youngest birth it holds, pairs deaths with births as the persistence
// algorithm does. While no class is alive nothing can die, and the components need not be looked
// at: every cochain is then right for the new edge, and zero is taken.

#include <tailor/geometry/bar.hpp>                   // tailor::Bar
#include <tailor/geometry/rips/annotations.hpp>      // tailor::rips::Annotations, Column
#include <tailor/geometry/rips/components.hpp>       // tailor::rips::Components
#include <tailor/geometry/rips/filtration.hpp>       // tailor::rips::Filtration, Edge
#include <tailor/geometry/rips/lune.hpp>             // tailor::rips::Graph
#include <tailor/geometry/rips/relations.hpp>        // tailor::rips::Relations
#include <tailor/geometry/rips/representatives.hpp>  // tailor::rips::Representatives

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor::rips {

/// The classes of a filtration while its edges enter one by one. `value_limit` bounds, in bytes,
/// what depends on the cloud: the values of the cochain and the relations. With `representatives`
/// what they need is kept.
class H1Sweep {
 public:
  H1Sweep(Filtration const& filtration, std::size_t value_limit, bool representatives)
      : filtration_(filtration),
        value_limit_(value_limit),
        graph_(filtration.points),
        components_(filtration.points),
        annotations_(filtration),
        relations_(representatives) {}

  void run() {
    for (std::size_t e = 0; e < filtration_.edges.size(); ++e) {
      Edge const edge = filtration_.edges[e];
      if (graph_.lune_is_empty(edge.a, edge.b)) {
        join_or_give_birth(e);
      } else if (alive_ == 0) {
        annotations_.set_zero(e);
      } else {
        relate(e);
      }
      graph_.connect(edge.a, edge.b);
    }
  }

  /// Classes in the order of their births, those of length zero among them.
  std::vector<Bar> const& classes() const { return classes_; }

  /// Cycles for the classes. Domain: after run(), as long as the sweep lives, where representatives
  /// were asked for; so for generators_of.
  Representatives representatives() const {
    return Representatives(filtration_.points, forest_, births_);
  }

  /// The generators whose cycles add up to one that stands for a class, youngest last.
  std::vector<std::size_t> generators_of(std::size_t birth) const {
    return std::isinf(classes_[birth].death) ? std::vector<std::size_t>{birth}
                                             : relations_.generators_of(birth);
  }

 private:
  void join_or_give_birth(std::size_t e) {
    Edge const edge = filtration_.edges[e];
    if (components_.join(edge.a, edge.b)) {
      annotations_.set_zero(e);
      forest_.push_back(edge);
      return;
    }
    annotations_.set_generator(e, classes_.size());
    relations_.add_birth();
    births_.push_back(edge);
    classes_.push_back({edge.length(), std::numeric_limits<double>::infinity()});
    ++alive_;
  }

  /// One relation, the 4-cycle a - c0 - b - cj, per component of the lune beyond the first.
  void relate(std::size_t e) {
    Edge const edge = filtration_.edges[e];
    graph_.lune_components(edge.a, edge.b, representatives_);
    annotations_.set_witness(e, representatives_[0]);
    for (std::size_t j = 1; j < representatives_.size() && alive_ > 0; ++j) {
      column_.clear();
      for (int const c : {representatives_[0], representatives_[j]}) {
        annotations_.add_to(column_, edge.a, c);
        annotations_.add_to(column_, edge.b, c);
      }
      std::size_t const dying = relations_.add(column_);
      if (dying == Relations::none) continue;
      classes_[dying].death = edge.length();
      --alive_;
      check_memory();
    }
  }

  void check_memory() const {
    if (annotations_.bytes() + relations_.bytes() <= value_limit_) return;
    throw std::length_error("rips_h1: " + std::to_string(value_limit_) +
                            " bytes allowed for the values of the cochain, and the " +
                            std::to_string(classes_.size()) + " classes so far need more");
  }

  Filtration const& filtration_;
  std::size_t value_limit_;
  Graph graph_;
  Components components_;
  Annotations annotations_;
  Relations relations_;
  std::vector<Bar> classes_;  ///< by birth
  std::vector<Edge> births_;  ///< the edge of each class
  std::vector<Edge> forest_;  ///< the edges that joined components
  std::size_t alive_ = 0;
  std::vector<int> representatives_;
  Column column_;
};

}  // namespace tailor::rips
