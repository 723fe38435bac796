#pragma once

#include <cstdint>
#include <string>

#include "numerical/bond_graph/constitutive_law.h"

namespace trestle::bond_graph {

enum class ElementType : std::uint8_t {
  kEffortSource,    ///< Se
  kFlowSource,      ///< Sf
  kInertia,         ///< I: p' = e, f = p/m
  kSpring,          ///< C: q' = f, e = k q
  kResistor,        ///< R: e = c f
  kTransformer,     ///< TF: e1 = n e2, f2 = n f1
  kGyrator,         ///< GY: e1 = r f2, e2 = r f1
  kZeroJunction,    ///< equal efforts, flows sum to zero
  kOneJunction,     ///< equal flows, efforts sum to zero
  kEffortDetector,  ///< De
  kFlowDetector,    ///< Df
  kPort,            ///< P: where a cut was made
};

/// One component of a bond graph. Effort and flow are force [N] and velocity [m/s] where
/// the graph is mechanical; nothing here depends on that.
struct Element {
  std::string name;
  ElementType type = ElementType::kOneJunction;
  double value = 0.0;  ///< m of I, k (stiffness) of C, c of R, n of TF, r of GY
  ConstitutiveLawFactory law = {};  ///< in place of the value, of I, C and R
  bool law_of_effort = false;       ///< of R: f = law(e), else e = law(f)
  bool imposes_effort = false;      ///< of P: else it imposes the flow
  double sign = 1.0;                ///< of P: imposed variable = sign · input
  std::string path = {};            ///< of its setting, for errors
  double initial = 0.0;             ///< state of a storage where a run begins: q or p
};

inline bool is_storage(ElementType type) noexcept {
  return type == ElementType::kInertia || type == ElementType::kSpring;
}
inline bool is_junction(ElementType type) noexcept {
  return type == ElementType::kZeroJunction || type == ElementType::kOneJunction;
}
inline bool is_two_port(ElementType type) noexcept {
  return type == ElementType::kTransformer || type == ElementType::kGyrator;
}
inline bool is_source(ElementType type) noexcept {
  return type == ElementType::kEffortSource || type == ElementType::kFlowSource;
}

}  // namespace trestle::bond_graph
