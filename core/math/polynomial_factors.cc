#include "core/math/polynomial_factors.h"

#include <cmath>
#include <sstream>

#include "core/base/setting_error.h"

namespace trestle::math {
namespace {

std::string text(std::complex<double> number) {
  std::ostringstream stream;
  stream << number.real() << (number.imag() < 0.0 ? " - " : " + ")
         << std::abs(number.imag()) << "j";
  return stream.str();
}

}  // namespace

void factorise_roots(std::vector<std::complex<double>> roots, const std::string& path,
                     std::vector<PolynomialFactor>& pairs, std::vector<double>& reals) {
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

}  // namespace trestle::math
