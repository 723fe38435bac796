#include "core/math/transfer_matrix.h"

#include <algorithm>

#include "core/base/setting_error.h"
#include "core/math/polynomial_factors.h"
#include "core/math/zeros_poles_gain.h"

namespace trestle::math {
namespace {

/// Coefficients of rising powers of s.
using Polynomial = std::vector<double>;

Polynomial product(const Polynomial& p, const Polynomial& q) {
  Polynomial result(p.size() + q.size() - 1, 0.0);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) result[i + j] += p[i] * q[j];
  return result;
}

Polynomial polynomial(const PolynomialFactor& factor) {
  if (factor.degree == 2) return {factor.constant, factor.linear, 1.0};
  return {factor.constant, 1.0};
}

std::vector<PolynomialFactor> factors_of(const std::vector<std::complex<double>>& roots,
                                         const std::string& path) {
  std::vector<PolynomialFactor> factors;
  std::vector<double> reals;
  factorise_roots(roots, path, factors, reals);
  for (const double root : reals) factors.push_back({1, 0.0, -root});
  return factors;
}

Polynomial expanded(const std::vector<PolynomialFactor>& factors) {
  Polynomial result{1.0};
  for (const PolynomialFactor& factor : factors)
    result = product(result, polynomial(factor));
  return result;
}

/// Leaves the quotient in `dividend`.
/// @returns the remainder
Polynomial divide(Polynomial& dividend, const Polynomial& monic) {
  const std::size_t degree = monic.size() - 1;
  Polynomial quotient(dividend.size() > degree ? dividend.size() - degree : 1, 0.0);
  for (std::size_t at = dividend.size(); at-- > degree;) {
    const double factor = dividend[at];
    quotient[at - degree] = factor;
    for (std::size_t i = 0; i <= degree; ++i)
      dividend[at - degree + i] -= factor * monic[i];
  }
  Polynomial remainder = std::move(dividend);
  remainder.resize(degree, 0.0);
  dividend = std::move(quotient);
  return remainder;
}

/// u through 1/D₁, what comes out through 1/D₂, and so on; the states are each section's
/// output, and its rate where the section is quadratic.
StateSpace chain(const std::vector<PolynomialFactor>& sections) {
  Eigen::Index n = 0;
  for (const PolynomialFactor& section : sections) n += section.degree;
  StateSpace system{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, 1), {}, {}};
  Eigen::Index at = 0;
  Eigen::Index before = -1;  // state that is the output of the section before
  for (const PolynomialFactor& section : sections) {
    const Eigen::Index last = at + section.degree - 1;
    system.A(last, at) = -section.constant;
    if (section.degree == 2) {
      system.A(at, last) = 1.0;
      system.A(last, last) = -section.linear;
    }
    if (before < 0)
      system.B(last, 0) = 1.0;
    else
      system.A(last, before) = 1.0;
    before = at;
    at = last + 1;
  }
  return system;
}

/// The rows of C and D that make numerator/Π D_k of a chain's states: by dividing the
/// numerator by the last section's denominator, the quotient by the one before, ...
void tap(const std::vector<PolynomialFactor>& sections, Polynomial numerator,
         Eigen::Ref<Eigen::RowVectorXd> C, double& D) {
  const Polynomial denominator = expanded(sections);
  if (numerator.size() == denominator.size()) {
    D = numerator.back();
    for (std::size_t i = 0; i < denominator.size(); ++i) numerator[i] -= D * denominator[i];
  }
  numerator.resize(denominator.size() - 1, 0.0);
  Eigen::Index at = C.size();
  for (auto section = sections.rbegin(); section != sections.rend(); ++section) {
    const Polynomial remainder = divide(numerator, polynomial(*section));
    at -= section->degree;
    for (std::size_t i = 0; i < remainder.size(); ++i)
      C[at + static_cast<Eigen::Index>(i)] = remainder[i];
  }
}

bool same_poles(const ZerosPolesGain& one, const ZerosPolesGain& other) {
  constexpr double kSame = 1e-9;
  if (one.poles.size() != other.poles.size()) return false;
  std::vector<std::complex<double>> left = other.poles;
  for (const std::complex<double>& pole : one.poles) {
    const auto found =
        std::find_if(left.begin(), left.end(), [&pole](const std::complex<double>& each) {
          return std::abs(each - pole) <= kSame * std::abs(pole);
        });
    if (found == left.end()) return false;
    left.erase(found);
  }
  return true;
}

/// The path from one input to some outputs, with separate states. C and D have a row for
/// every output of the matrix.
struct ColumnPart {
  int input = 0;
  StateSpace system;
};

/// @param group  places in `entries`: of one column, with the same poles
ColumnPart realise_group(const std::vector<TransferEntry>& entries,
                         const std::vector<std::size_t>& group, int outputs,
                         const std::vector<std::string>& paths) {
  const TransferEntry& first = entries[group.front()];
  const StateSpace single = realise(first.transfer, paths[group.front()]);
  const Eigen::Index n = single.states();
  ColumnPart part{first.input,
                  {single.A, single.B, Eigen::MatrixXd::Zero(outputs, n),
                   Eigen::MatrixXd::Zero(outputs, 1)}};
  if (group.size() == 1) {
    part.system.C.row(first.output) = single.C;
    part.system.D.row(first.output) = single.D;
    return part;
  }
  const std::vector<PolynomialFactor> sections =
      factors_of(first.transfer.poles, paths[group.front()] + ".poles");
  const StateSpace shared = chain(sections);
  part.system.A = shared.A;
  part.system.B = shared.B;
  for (const std::size_t i : group) {
    const ZerosPolesGain& transfer = entries[i].transfer;
    realise(transfer, paths[i]);  // for what may be wrong with it
    Polynomial numerator = expanded(factors_of(transfer.zeros, paths[i] + ".zeros"));
    for (double& coefficient : numerator) coefficient *= transfer.gain;
    Eigen::RowVectorXd C(n);
    tap(sections, std::move(numerator), C, part.system.D(entries[i].output, 0));
    part.system.C.row(entries[i].output) = C;
  }
  part.system = balanced(std::move(part.system));
  return part;
}

std::vector<std::vector<std::size_t>> with_shared_poles(
    const std::vector<TransferEntry>& entries) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto fits = [&](const std::vector<std::size_t>& group) {
      const TransferEntry& first = entries[group.front()];
      return first.input == entries[i].input && !first.transfer.poles.empty() &&
             same_poles(first.transfer, entries[i].transfer);
    };
    const auto found = std::find_if(groups.begin(), groups.end(), fits);
    if (found == groups.end())
      groups.push_back({i});
    else
      found->push_back(i);
  }
  return groups;
}

}  // namespace

StateSpace realise(const std::vector<TransferEntry>& entries, int outputs, int inputs,
                   const std::vector<std::string>& paths) {
  Eigen::MatrixXi given = Eigen::MatrixXi::Zero(outputs, inputs);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TransferEntry& entry = entries[i];
    const std::string name = "entry to " + std::to_string(entry.output + 1) + " from " +
                             std::to_string(entry.input + 1);
    if (entry.output < 0 || entry.output >= outputs || entry.input < 0 ||
        entry.input >= inputs)
      throw SettingError(paths[i], name + " is outside the " + std::to_string(outputs) +
                                       " x " + std::to_string(inputs) + " transfer matrix");
    if (given(entry.output, entry.input)++ > 0)
      throw SettingError(paths[i], name + " is given twice");
  }
  std::vector<ColumnPart> parts;
  Eigen::Index states = 0;
  for (const std::vector<std::size_t>& group : with_shared_poles(entries)) {
    parts.push_back(realise_group(entries, group, outputs, paths));
    states += parts.back().system.states();
  }
  StateSpace whole{
      Eigen::MatrixXd::Zero(states, states), Eigen::MatrixXd::Zero(states, inputs),
      Eigen::MatrixXd::Zero(outputs, states), Eigen::MatrixXd::Zero(outputs, inputs)};
  Eigen::Index at = 0;
  for (const ColumnPart& part : parts) {
    const Eigen::Index n = part.system.states();
    whole.A.block(at, at, n, n) = part.system.A;
    whole.B.block(at, part.input, n, 1) = part.system.B;
    whole.C.middleCols(at, n) = part.system.C;
    whole.D.col(part.input) += part.system.D;
    at += n;
  }
  return whole;
}

}  // namespace trestle::math
