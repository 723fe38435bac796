#include "core/linear/zeros_poles_gain.h"

#include <cmath>
#include <sstream>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

/// s² + linear·s + constant, or s + constant where degree is 1; degree 0 is the number 1.
struct Factor {
  int degree = 0;
  double linear = 0.0;
  double constant = 1.0;
};

std::string text(std::complex<double> number) {
  std::ostringstream stream;
  stream << number.real() << (number.imag() < 0.0 ? " - " : " + ")
         << std::abs(number.imag()) << "j";
  return stream.str();
}

/// Splits roots into pairs of conjugates (as quadratic factors) and reals.
void split(std::vector<std::complex<double>> roots, const std::string& path,
           std::vector<Factor>& pairs, std::vector<double>& reals) {
  constexpr double kSame = 1e-9;
  while (!roots.empty()) {
    const std::complex<double> root = roots.front();
    roots.erase(roots.begin());
    if (root.imag() == 0.0) {
      reals.push_back(root.real());
      continue;
    }
    auto partner = roots.begin();
    while (partner != roots.end() &&
           !(std::abs(*partner - std::conj(root)) <= kSame * std::abs(root)))
      ++partner;
    if (partner == roots.end())
      throw SettingError(
          path, text(root) + " has no conjugate; give " + text(std::conj(root)) + " too");
    pairs.push_back({2, -2.0 * root.real(), std::norm(root)});
    roots.erase(partner);
  }
}

Factor take_two(std::vector<double>& reals) {
  const double a = reals.back();
  reals.pop_back();
  const double b = reals.back();
  reals.pop_back();
  return {2, -(a + b), a * b};
}

Factor take_one(std::vector<double>& reals) {
  const double a = reals.back();
  reals.pop_back();
  return {1, 0.0, -a};
}

/// numerator / denominator, degree of the numerator not above that of the denominator.
StateSpace section(const Factor& numerator, const Factor& denominator) {
  const Eigen::Index n = denominator.degree;
  StateSpace system{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, 1),
                    Eigen::MatrixXd::Zero(1, n), Eigen::MatrixXd::Zero(1, 1)};
  const bool biproper = numerator.degree == denominator.degree;
  system.D(0, 0) = biproper ? 1.0 : 0.0;
  system.B(n - 1, 0) = 1.0;
  if (n == 1) {
    system.A(0, 0) = -denominator.constant;
    system.C(0, 0) = biproper ? numerator.constant - denominator.constant : 1.0;
    return system;
  }
  system.A << 0.0, 1.0, -denominator.constant, -denominator.linear;
  if (biproper)
    system.C << numerator.constant - denominator.constant,
        numerator.linear - denominator.linear;
  else if (numerator.degree == 1)
    system.C << numerator.constant, 1.0;
  else
    system.C << 1.0, 0.0;
  return system;
}

/// second(first(u)).
StateSpace cascade(const StateSpace& first, const StateSpace& second) {
  const Eigen::Index n = first.states();
  const Eigen::Index m = second.states();
  StateSpace both{Eigen::MatrixXd::Zero(n + m, n + m), Eigen::MatrixXd(n + m, 1),
                  Eigen::MatrixXd(1, n + m), second.D * first.D};
  both.A.topLeftCorner(n, n) = first.A;
  both.A.bottomLeftCorner(m, n) = second.B * first.C;
  both.A.bottomRightCorner(m, m) = second.A;
  both.B << first.B, second.B * first.D;
  both.C << second.D * first.C, second.C;
  return both;
}

}  // namespace

StateSpace realise(const ZerosPolesGain& transfer, const std::string& path) {
  if (transfer.zeros.size() > transfer.poles.size())
    throw SettingError(path, "has " + std::to_string(transfer.zeros.size()) +
                                 " zeros and " + std::to_string(transfer.poles.size()) +
                                 " poles; a rig needs at least as many poles as zeros");
  std::vector<Factor> zero_pairs;
  std::vector<Factor> pole_pairs;
  std::vector<double> zeros;
  std::vector<double> poles;
  split(transfer.zeros, path + ".zeros", zero_pairs, zeros);
  split(transfer.poles, path + ".poles", pole_pairs, poles);

  StateSpace system{Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 1), Eigen::MatrixXd(1, 0),
                    Eigen::MatrixXd::Ones(1, 1)};
  const auto append = [&system](const Factor& numerator, const Factor& denominator) {
    system = cascade(system, section(numerator, denominator));
  };
  // A pair of complex zeros needs two poles in its section; what is left over fits, since
  // there are no more zeros than poles.
  while (!zero_pairs.empty()) {
    if (pole_pairs.empty()) {
      append(zero_pairs.back(), take_two(poles));
    } else {
      append(zero_pairs.back(), pole_pairs.back());
      pole_pairs.pop_back();
    }
    zero_pairs.pop_back();
  }
  while (!poles.empty()) {
    const Factor numerator = zeros.empty() ? Factor{} : take_one(zeros);
    append(numerator, take_one(poles));
  }
  while (!pole_pairs.empty()) {
    const Factor numerator = zeros.size() >= 2   ? take_two(zeros)
                             : zeros.size() == 1 ? take_one(zeros)
                                                 : Factor{};
    append(numerator, pole_pairs.back());
    pole_pairs.pop_back();
  }
  system.C *= transfer.gain;
  system.D *= transfer.gain;
  return balanced(std::move(system));
}

StateSpace realise(const std::vector<TransferEntry>& entries, int outputs, int inputs,
                   const std::vector<std::string>& paths) {
  std::vector<StateSpace> parts;
  Eigen::Index states = 0;
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
    parts.push_back(realise(entry.transfer, paths[i]));
    states += parts.back().states();
  }
  StateSpace whole{
      Eigen::MatrixXd::Zero(states, states), Eigen::MatrixXd::Zero(states, inputs),
      Eigen::MatrixXd::Zero(outputs, states), Eigen::MatrixXd::Zero(outputs, inputs)};
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Eigen::Index n = parts[i].states();
    whole.A.block(at, at, n, n) = parts[i].A;
    whole.B.block(at, entries[i].input, n, 1) = parts[i].B;
    whole.C.block(entries[i].output, at, 1, n) = parts[i].C;
    whole.D(entries[i].output, entries[i].input) = parts[i].D(0, 0);
    at += n;
  }
  return whole;
}

}  // namespace trestle
