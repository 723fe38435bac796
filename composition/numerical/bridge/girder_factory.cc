#include "composition/numerical/bridge/girder_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/base/nearest_name.h"
#include "core/base/setting_check.h"
#include "core/base/setting_error_collector.h"
#include "numerical/bridge/finite_element_modes.h"
#include "numerical/structure/damping.h"
#include "proto/config/bridge.pb.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

constexpr int kModes = 5;
constexpr int kElements = 12;
constexpr double kRatio = 0.02;
// A dense eigenvalue problem of this size takes some seconds.
constexpr int kMostDofs = 1500;

struct Section {
  double stiffness = 0.0;
  double mass = 0.0;
};

class GirderReader {
 public:
  GirderReader(const config::Bridge& bridge, std::string path)
      : bridge_(bridge), path_(std::move(path)) {}

  bridge::Girders read() {
    for (int i = 0; i < bridge_.sections_size(); ++i) read_section(i);
    for (int i = 0; i < bridge_.girders_size(); ++i) read_girder(i);
    read_piers();
    problems_.throw_if_any();
    return std::move(girders_);
  }

 private:
  void positive(double value, const std::string& path) {
    if (!(value > 0.0) || !std::isfinite(value))
      problems_.add(path, "is " + in_words(value) + "; must be above 0");
  }

  void read_section(int index) {
    const config::GirderSection& given = bridge_.sections(index);
    const std::string here = path_ + ".sections[" + std::to_string(index) + "]";
    positive(given.e(), here + ".E");
    positive(given.i(), here + ".I");
    const bool by_density = given.has_a() && given.has_density();
    if (by_density == given.has_mass_per_length())
      problems_.add(here,
                    "needs its mass exactly one way: A with density, or "
                    "mass_per_length");
    const double own = by_density ? given.a() * given.density() : given.mass_per_length();
    const double mass = own + given.added_mass_per_length();
    if (by_density || given.has_mass_per_length())
      positive(mass, here + (by_density ? ".density" : ".mass_per_length"));
    sections_[given.name()] = {given.e() * given.i(), mass};
    names_.push_back(given.name());
  }

  void read_girder(int index) {
    const config::Girder& given = bridge_.girders(index);
    const std::string here = path_ + ".girders[" + std::to_string(index) + "]";
    if (given.section_size() != 1 && given.section_size() != given.spans_size())
      return problems_.add(here + ".section",
                           "has " + std::to_string(given.section_size()) +
                               " entries; one for all, or one for each of the " +
                               std::to_string(given.spans_size()) + " spans is needed");
    std::vector<bridge::GirderSpan> girder;
    for (int i = 0; i < given.spans_size(); ++i) {
      positive(given.spans(i), here + ".spans[" + std::to_string(i) + "]");
      const int entry = given.section_size() == 1 ? 0 : i;
      const auto found = sections_.find(given.section(entry));
      if (found == sections_.end())
        return problems_.add(here + ".section[" + std::to_string(entry) + "]",
                             "there is no section `" + given.section(entry) + "`" +
                                 suggest(given.section(entry), names_));
      girder.push_back({given.spans(i), found->second.stiffness, found->second.mass});
    }
    const std::uint32_t repeat = given.has_repeat() ? given.repeat() : 1;
    for (std::uint32_t i = 0; i < repeat; ++i) girders_.spans.push_back(girder);
  }

  void read_piers() {
    std::size_t spans = 0;
    for (const auto& girder : girders_.spans) spans += girder.size();
    girders_.piers.resize(spans + 1);
    if (bridge_.piers().empty() || spans == 0) return;
    const auto given = static_cast<std::size_t>(bridge_.piers_size());
    if (given != 1 && given != spans - 1)
      return problems_.add(path_ + ".piers", "has " + std::to_string(given) +
                                                 " entries; one for all, or one "
                                                 "for each of the " +
                                                 std::to_string(spans - 1) +
                                                 " between the two ends is needed");
    for (std::size_t i = 1; i < spans; ++i) {
      const config::Pier& pier = bridge_.piers(static_cast<int>(given == 1 ? 0 : i - 1));
      if (pier.has_stiffness()) girders_.piers[i] = {pier.stiffness(), pier.mass()};
    }
    for (std::size_t i = 0; i < given; ++i) {
      const config::Pier& pier = bridge_.piers(static_cast<int>(i));
      const std::string here = path_ + ".piers[" + std::to_string(i) + "]";
      if (pier.has_stiffness()) positive(pier.stiffness(), here + ".stiffness");
      if (pier.mass() < 0.0 || (pier.mass() > 0.0 && !pier.has_stiffness()))
        problems_.add(here + ".mass", "needs a stiffness, and must not be negative");
    }
  }

  const config::Bridge& bridge_;
  std::string path_;
  std::map<std::string, Section> sections_;
  std::vector<std::string> names_;
  bridge::Girders girders_;
  SettingErrorCollector problems_;
};

/// a/(2ω) + bω/2.
Eigen::VectorXd rayleigh_ratios(const structure::RayleighFactors& factors,
                                const Eigen::VectorXd& omega) {
  return 0.5 * (factors.mass / omega.array() + factors.stiffness * omega.array()).matrix();
}

/// No key beside another that makes it idle.
void check_rayleigh(const config::Rayleigh& given, const std::string& path) {
  const bool factors = given.has_mass_factor() || given.has_stiffness_factor();
  const bool places = given.modes_size() > 0 || given.frequencies_size() > 0;
  if (given.ratio().empty() && !factors)
    throw SettingError(path + ".ratio",
                       "Rayleigh damping needs one ratio or two, or factors");
  if (!given.ratio().empty() && factors)
    throw SettingError(path + ".ratio",
                       "both ratio and factors are given; give one of them");
  if (factors && places)
    throw SettingError(path + (given.modes_size() > 0 ? ".modes" : ".frequencies"),
                       "belong to ratios; with factors leave them out");
  if (given.modes_size() > 0 && given.frequencies_size() > 0)
    throw SettingError(path + ".modes",
                       "both modes and frequencies are given; give one of them");
  if (given.modes_size() > 0 && given.modes_size() != 2)
    throw SettingError(path + ".modes", "must have two entries");
  if (given.stiffness() != config::RAYLEIGH_STIFFNESS_INITIAL)
    throw SettingError(path + ".stiffness",
                       "tells what yields from what does not; nothing of a bridge yields: "
                       "leave it out");
}

structure::RayleighFactors rayleigh_of(const config::Rayleigh& given,
                                       const Eigen::VectorXd& omega,
                                       const std::string& path) {
  check_rayleigh(given, path);
  if (given.ratio().empty()) return {given.mass_factor(), given.stiffness_factor()};
  if (given.ratio_size() > 2)
    throw SettingError(path + ".ratio", "has more than two entries");
  const std::array<double, 2> ratios{given.ratio(0), given.ratio(given.ratio_size() - 1)};
  std::array<double, 2> at{};
  if (!given.frequencies().empty()) {
    if (given.frequencies_size() != 2)
      throw SettingError(path + ".frequencies", "must have two entries");
    at = {2.0 * std::numbers::pi * given.frequencies(0),
          2.0 * std::numbers::pi * given.frequencies(1)};
  } else {
    std::vector<double> sorted(omega.begin(), omega.end());
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < 2; ++i) {
      const std::uint32_t mode =
          given.modes_size() == 2 ? given.modes(i) : static_cast<std::uint32_t>(i + 1);
      if (mode < 1 || mode > sorted.size())
        throw SettingError(path + ".modes", "there is no mode " + std::to_string(mode));
      at[static_cast<std::size_t>(i)] = sorted[mode - 1];
    }
  }
  if (!(std::abs(at[0] - at[1]) > 1e-9 * at[0]))
    throw SettingError(path,
                       "the two modes have one frequency; spans that are alike share "
                       "theirs, so give `frequencies`");
  return structure::rayleigh_factors(ratios, at);
}

}  // namespace

bridge::Girders make_girders(const config::Bridge& bridge, const std::string& path) {
  return GirderReader(bridge, path).read();
}

bridge::BridgeModes make_modes(const config::Bridge& bridge, const bridge::Girders& girders,
                               const std::string& path) {
  const bool simple = girders.simply_supported();
  if (bridge.has_modal() && !simple)
    throw SettingError(path + ".modal",
                       "sine modes are those of simply supported spans on "
                       "rigid piers; give `finite_elements: {}`");
  if (!bridge.has_finite_elements() && simple)
    return bridge::sine_modes(girders, bridge.modal().has_modes()
                                           ? static_cast<int>(bridge.modal().modes())
                                           : kModes);
  const config::FiniteElementForm& form = bridge.finite_elements();
  const int elements = form.has_elements() ? static_cast<int>(form.elements()) : kElements;
  const int dofs = bridge::largest_part(girders, elements);
  if (dofs > kMostDofs)
    throw SettingError(path + ".finite_elements",
                       "a part that moves as one has " + std::to_string(dofs) +
                           " free DOFs; up to " + std::to_string(kMostDofs) +
                           " are possible, take fewer elements");
  return bridge::finite_element_modes(
      girders, elements, form.has_modes() ? static_cast<int>(form.modes()) : 0);
}

Eigen::VectorXd make_damping(const config::Bridge& bridge, const bridge::BridgeModes& modes,
                             const std::string& path) {
  Eigen::VectorXd ratios = Eigen::VectorXd::Constant(modes.frequency.size(), kRatio);
  const std::string here = path + ".damping";
  if (bridge.damping().has_rayleigh()) {
    ratios = rayleigh_ratios(
        rayleigh_of(bridge.damping().rayleigh(), modes.frequency, here + ".rayleigh"),
        modes.frequency);
  } else if (bridge.damping().has_modal()) {
    const config::ModalDamping& given = bridge.damping().modal();
    if (given.ratio().empty()) throw SettingError(here + ".modal.ratio", "is empty");
    Eigen::Index at = 0;
    for (const Eigen::Index part : modes.parts)
      for (Eigen::Index n = 0; n < part; ++n)
        ratios[at++] = given.ratio(
            static_cast<int>(std::min<Eigen::Index>(n, given.ratio_size() - 1)));
  }
  // Rayleigh's damping of the highest modes may pass the critical one, which changes
  // nothing that could be seen.
  constexpr double kMost = 0.99;
  if (bridge.damping().has_modal() && !(ratios.maxCoeff() < 1.0))
    throw SettingError(here + ".modal.ratio", "must be below 1");
  if (!(ratios.minCoeff() >= 0.0))
    throw SettingError(here, "makes a damping ratio negative");
  return ratios.cwiseMin(kMost);
}

}  // namespace trestle::composition
