#include "numerical/bond_graph/graph_right_hand_side.h"

#include <cmath>

#include "numerical/bond_graph/dependency_order.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/linear_graph.h"
#include "numerical/bond_graph/small_solve.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;

constexpr int kMostIterations = 50;
constexpr int kMostHalvings = 30;
constexpr double kTolerance = 1e-12;

std::unique_ptr<ConstitutiveLaw> made(const Element& element) {
  return element.law ? element.law() : nullptr;
}

void refuse_dependent_laws(const Graph& graph, const JunctionStructure& S) {
  for (std::size_t i = 0; i < S.derivative.size(); ++i) {
    const Element& one = graph.element(S.derivative[i]);
    if (one.law)
      fail("E_LAW", one.path,
           "`" + one.name +
               "` has a separate law but only follows other masses or springs "
               "(derivative causality), which needs the law's inverse; put a spring or a "
               "mass "
               "between it and what it follows");
    const auto row = static_cast<Index>(i);
    if (!S.d.r.row(row).isZero(0.0) || !S.d.d.row(row).isZero(0.0))
      fail("E_INDEX", one.path,
           "`" + one.name +
               "` follows others through a damper, in a graph with laws that "
               "are not linear; put a spring or a mass between it and what it follows");
  }
  refuse_input_rates(graph, S);
}

}  // namespace

GraphRightHandSide::GraphRightHandSide(const Graph& graph,
                                       const JunctionStructure& structure, bool with_rates)
    : S_(structure), needs_slopes_(with_rates || !structure.derivative.empty()) {
  refuse_dependent_laws(graph, S_);
  const Index nz = S_.x.z.rows();
  const Index nr = S_.r.z.rows();
  const Index nd = S_.d.z.rows();
  storage_gains_.setZero(nz);
  damper_gains_.setZero(nr);
  derivative_gains_.setZero(nd);
  const auto gain = [](const Element& one, bool inverse) {
    return inverse ? 1.0 / one.value : one.value;
  };
  for (std::size_t i = 0; i < S_.integral.size(); ++i) {
    const Element& one = graph.element(S_.integral[i]);
    storage_laws_.push_back(made(one));
    if (!one.law)
      storage_gains_(static_cast<Index>(i)) = gain(one, one.type == ElementType::kInertia);
  }
  for (std::size_t i = 0; i < S_.resistors.size(); ++i) {
    const Element& one = graph.element(S_.resistors[i]);
    damper_laws_.push_back(made(one));
    if (!one.law) damper_gains_(static_cast<Index>(i)) = gain(one, S_.receives_effort[i]);
  }
  for (std::size_t i = 0; i < S_.derivative.size(); ++i) {
    const Element& one = graph.element(S_.derivative[i]);
    derivative_gains_(static_cast<Index>(i)) = gain(one, one.type == ElementType::kSpring);
  }
  if (nd == 0 && cyclic_rows(S_.r.r).empty()) order_ = dependency_order(S_.r.r);
  follow_ = derivative_gains_.asDiagonal() * S_.d.z;
  z_.setZero(nz);
  slopes_.setZero(nz);
  fixed_rate_.setZero(nz);
  rate_.setZero(nz);
  fixed_r_in_.setZero(nr);
  r_in_.setZero(nr);
  unknown_.setZero(nr + nd);
  residual_.setZero(nr + nd);
  step_.setZero(nr + nd);
  before_.setZero(nr + nd);
  jacobian_.setZero(nr + nd, nr + nd);
}

double GraphRightHandSide::damper(Index i, double argument) noexcept {
  ConstitutiveLaw* const law = damper_laws_[static_cast<std::size_t>(i)].get();
  return law != nullptr ? law->value(argument) : damper_gains_(i) * argument;
}

double GraphRightHandSide::damper_slope(Index i, double argument) noexcept {
  ConstitutiveLaw* const law = damper_laws_[static_cast<std::size_t>(i)].get();
  return law != nullptr ? law->slope(argument) : damper_gains_(i);
}

void GraphRightHandSide::evaluate_in_order() noexcept {
  for (const Index i : order_) {
    double argument = fixed_r_in_(i);
    for (Index j = 0; j < S_.r.r.cols(); ++j)
      if (S_.r.r(i, j) != 0.0) argument += S_.r.r(i, j) * unknown_(j);
    r_in_(i) = argument;
    unknown_(i) = damper(i, argument);
  }
}

void GraphRightHandSide::evaluate_residual() noexcept {
  const Index nr = S_.r.z.rows();
  const Index nd = S_.d.z.rows();
  const auto r = unknown_.head(nr);
  const auto d = unknown_.tail(nd);
  r_in_ = fixed_r_in_;
  r_in_.noalias() += S_.r.r * r;
  r_in_.noalias() += S_.r.d * d;
  for (Index i = 0; i < nr; ++i) residual_(i) = unknown_(i) - damper(i, r_in_(i));
  rate_ = fixed_rate_;
  rate_.noalias() += S_.x.r * r;
  rate_.noalias() += S_.x.d * d;
  for (Index i = 0; i < nd; ++i) {
    double followed = 0.0;
    for (Index j = 0; j < rate_.size(); ++j)
      followed += follow_(i, j) * slopes_(j) * rate_(j);
    residual_(nr + i) = unknown_(nr + i) - followed;
  }
}

void GraphRightHandSide::evaluate_jacobian() noexcept {
  const Index nr = S_.r.z.rows();
  const Index nd = S_.d.z.rows();
  jacobian_.setIdentity();
  for (Index i = 0; i < nr; ++i) {
    const double slope = damper_slope(i, r_in_(i));
    for (Index j = 0; j < nr; ++j) jacobian_(i, j) -= slope * S_.r.r(i, j);
    for (Index j = 0; j < nd; ++j) jacobian_(i, nr + j) -= slope * S_.r.d(i, j);
  }
  for (Index i = 0; i < nd; ++i)
    for (Index k = 0; k < rate_.size(); ++k) {
      const double slope = follow_(i, k) * slopes_(k);
      for (Index j = 0; j < nr; ++j) jacobian_(nr + i, j) -= slope * S_.x.r(k, j);
      for (Index j = 0; j < nd; ++j) jacobian_(nr + i, nr + j) -= slope * S_.x.d(k, j);
    }
}

bool GraphRightHandSide::solve_loops() noexcept {
  unknown_.setZero();
  evaluate_residual();
  const double scale = fixed_r_in_.size() > 0 ? fixed_r_in_.lpNorm<Eigen::Infinity>() : 0.0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double before = residual_.squaredNorm();
    if (!std::isfinite(before)) return false;
    if (before == 0.0) return true;
    evaluate_jacobian();
    step_ = residual_;
    if (!solve_in_place(jacobian_, step_)) return false;
    before_ = unknown_;
    double part = 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, part *= 0.5) {
      unknown_ = before_ - part * step_;
      evaluate_residual();
      if (residual_.squaredNorm() < before) break;
    }
    const double reach = step_.lpNorm<Eigen::Infinity>();
    if (reach <= kTolerance * (unknown_.lpNorm<Eigen::Infinity>() + scale)) return true;
  }
  return false;
}

bool GraphRightHandSide::evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                                  Eigen::VectorXd& rate, Eigen::VectorXd& output) noexcept {
  for (Index i = 0; i < x.size(); ++i) {
    ConstitutiveLaw* const law = storage_laws_[static_cast<std::size_t>(i)].get();
    z_(i) = law != nullptr ? law->value(x(i)) : storage_gains_(i) * x(i);
    if (needs_slopes_) slopes_(i) = law != nullptr ? law->slope(x(i)) : storage_gains_(i);
  }
  fixed_r_in_.noalias() = S_.r.z * z_;
  fixed_r_in_.noalias() += S_.r.u * u;
  fixed_rate_.noalias() = S_.x.z * z_;
  fixed_rate_.noalias() += S_.x.u * u;
  if (unknown_.size() > 0) {
    if (!order_.empty())
      evaluate_in_order();
    else if (!solve_loops())
      return false;
  }
  const auto r = unknown_.head(S_.r.z.rows());
  const auto d = unknown_.tail(S_.d.z.rows());
  rate = fixed_rate_;
  rate.noalias() += S_.x.r * r;
  rate.noalias() += S_.x.d * d;
  output.noalias() = S_.y.z * z_;
  output.noalias() += S_.y.r * r;
  output.noalias() += S_.y.d * d;
  output.noalias() += S_.y.u * u;
  return true;
}

bool GraphRightHandSide::output_rates(const Eigen::VectorXd& rate,
                                      Eigen::VectorXd& output_rate) noexcept {
  const Index nr = S_.r.z.rows();
  // rate_ becomes z'; step_ becomes [r'; 0].
  for (Index i = 0; i < rate.size(); ++i) rate_(i) = slopes_(i) * rate(i);
  jacobian_.setIdentity();
  step_.setZero();
  for (Index i = 0; i < nr; ++i) {
    const double slope = damper_slope(i, r_in_(i));
    for (Index j = 0; j < nr; ++j) jacobian_(i, j) -= slope * S_.r.r(i, j);
    for (Index k = 0; k < rate.size(); ++k) step_(i) += slope * S_.r.z(i, k) * rate_(k);
  }
  if (!solve_in_place(jacobian_, step_)) return false;
  output_rate.noalias() = S_.y.z * rate_;
  output_rate.noalias() += S_.y.r * step_.head(nr);
  return true;
}

void GraphRightHandSide::commit(const Eigen::VectorXd& x) noexcept {
  for (Index i = 0; i < x.size(); ++i)
    if (ConstitutiveLaw* const law = storage_laws_[static_cast<std::size_t>(i)].get();
        law != nullptr)
      law->commit(x(i));
}

void GraphRightHandSide::reset() noexcept {
  for (const auto& law : storage_laws_)
    if (law) law->reset();
}

void GraphRightHandSide::save(SnapshotWriter& snapshot) const {
  for (const auto& law : storage_laws_)
    if (law) law->save(snapshot);
}

void GraphRightHandSide::restore(SnapshotReader& snapshot) {
  for (const auto& law : storage_laws_)
    if (law) law->restore(snapshot);
}

}  // namespace trestle::bond_graph
