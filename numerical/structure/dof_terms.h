#pragma once

#include <Eigen/Core>
#include <vector>

namespace trestle::structure {

/// One term of a motion that is a linear combination of equations.
struct DofTerm {
  int equation = 0;
  double coefficient = 1.0;

  bool operator==(const DofTerm&) const = default;
};

/// A motion as the sum of its terms; empty: it is held.
using DofTerms = std::vector<DofTerm>;

/// d[from] − d[to]; an equation below zero is held.
inline DofTerms between(int from, int to) {
  DofTerms terms;
  if (from >= 0) terms.push_back({from, 1.0});
  if (to >= 0) terms.push_back({to, -1.0});
  return terms;
}

/// Adds the terms of `more`, times a factor. Equal equations are joined.
inline void add_terms(DofTerms& terms, const DofTerms& more, double factor) {
  for (const DofTerm& term : more) {
    bool joined = false;
    for (DofTerm& own : terms)
      if (own.equation == term.equation) {
        own.coefficient += factor * term.coefficient;
        joined = true;
      }
    if (!joined) terms.push_back({term.equation, factor * term.coefficient});
  }
}

/// The motion in a given state.
inline double motion_of(const DofTerms& terms, const Eigen::VectorXd& state) noexcept {
  double sum = 0.0;
  for (const DofTerm& term : terms) sum += term.coefficient * state[term.equation];
  return sum;
}

/// Adds the loads of a force along the motion.
inline void add_force(const DofTerms& terms, double force, Eigen::VectorXd& load) noexcept {
  for (const DofTerm& term : terms) load[term.equation] += term.coefficient * force;
}

}  // namespace trestle::structure
