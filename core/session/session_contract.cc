#include "core/session/session_contract.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string_view>

#include "core/base/sha256.h"
#include "core/session/contract_lines.h"

namespace trestle::session {
namespace {

constexpr std::string_view kStated = "site_states.";
// Longest text of a compensator or controller; the hash beside it covers the rest.
constexpr std::size_t kLongestWords = 400;
constexpr char kHexadecimal[] = "0123456789abcdef";

/// Keeps a fact on one line, whatever characters a name contains.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\\') {
      line += "\\\\";
    } else if (byte >= 0x20 && byte != 0x7f) {
      line += letter;
    } else {
      line += "\\x";
      line += kHexadecimal[byte >> 4];
      line += kHexadecimal[byte & 0xf];
    }
  }
  return line;
}

std::string to_hex(const SessionId& session) {
  std::string digits;
  for (const std::uint8_t byte : session) {
    digits += kHexadecimal[byte >> 4];
    digits += kHexadecimal[byte & 0xf];
  }
  return digits;
}

/// The same, by its hash if it is too long to read.
std::string readable(const std::string& words) {
  if (words.empty()) return "default";
  if (words.size() <= kLongestWords) return words;
  // The cut must not go through a character of several bytes.
  std::size_t cut = kLongestWords;
  while ((static_cast<unsigned char>(words[cut]) & 0xc0U) == 0x80U) --cut;
  return words.substr(0, cut) + " ... of " + std::to_string(words.size()) + " letters";
}

class Document {
 public:
  void fact(const std::string& key, std::string_view value) {
    text_ += key + ": " + on_one_line(value) + "\n";
  }
  void fact(const std::string& key, const char* value) {
    fact(key, std::string_view(value));
  }
  void fact(const std::string& key, double value) {
    if (std::isinf(value) && value > 0.0) return fact(key, "none");
    if (std::isnan(value)) return fact(key, "nan");
    char digits[32];  // the longest double has 24
    const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    fact(key, std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  void fact(const std::string& key, bool value) { fact(key, value ? "yes" : "no"); }
  template <std::integral Number>
  void fact(const std::string& key, Number value) {
    fact(key, std::to_string(value));
  }
  void fact(const std::string& key, const std::string& value) {
    fact(key, std::string_view(value));
  }

  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// Endings of keys, by what moves.
struct Units {
  const char* motion;
  const char* rate;
  const char* acceleration;
  const char* force;
};

Units units_of(DofKind kind) {
  return kind == DofKind::kRotation ? Units{"_rad", "_rad_s", "_rad_s2", "_N_m"}
                                    : Units{"_m", "_m_s", "_m_s2", "_N"};
}

const char* kind_name(DofKind kind) {
  return kind == DofKind::kRotation ? "rotation" : "translation";
}

void add_pace(Document& document, const Configure& configure) {
  const PacingSettings& pace = configure.pace;
  document.fact("mode", configure.mode);
  document.fact("clock", pace.virtual_clock ? "virtual" : "wall");
  document.fact("clock_source", pace.system_clock ? "system" : "bus");
  document.fact("latency_steps", pace.latency_steps);
  const auto mode = parse_execution_mode(configure.mode);
  if (mode == ExecutionMode::kContinuous) {
    document.fact("continuous.scale", pace.scale);
    document.fact("continuous.order", pace.order);
    document.fact("continuous.slow_after", pace.slow_down_after);
    document.fact("continuous.hold_at", pace.hold_after);
    document.fact("continuous.ramp_and_hold", pace.ramp_and_hold);
  } else if (mode == ExecutionMode::kPseudoDynamic) {
    document.fact("pseudo_dynamic.rate_m_s", pace.rate);
    document.fact("pseudo_dynamic.rotation_rate_rad_s", pace.rotation_rate);
    document.fact("pseudo_dynamic.settle_s", pace.settle);
    document.fact("pseudo_dynamic.average_s", pace.average);
  }
  document.fact("time_step_s", configure.time_step);
  document.fact("ticks_per_step", configure.ticks_per_step);
  document.fact("steps_planned", configure.steps_planned);
  document.fact("seed", configure.seed);
  document.fact("heartbeat_s", configure.heartbeat_period);
  document.fact("watchdog_s", configure.watchdog);
}

void add_interface(Document& document, const InterfaceLayout& layout) {
  document.fact("interface.dofs", layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const InterfaceDof& dof = layout[i];
    const std::string key = "interface[" + std::to_string(i) + "].";
    const Units units = units_of(dof.kind);
    document.fact(key + "name", dof.name);
    document.fact(key + "kind", kind_name(dof.kind));
    document.fact(key + "role",
                  dof.role == DofRole::kControlled ? "controlled" : "force-only");
    document.fact(key + "force" + units.force, "+K d");
    document.fact(key + "displacement" + units.motion, dof.displacement_limit);
    document.fact(key + "rate" + units.rate, dof.rate_limit);
    document.fact(key + "acceleration" + units.acceleration, dof.acceleration_limit);
  }
}

void add_actuators(Document& document, const Configured& configured) {
  document.fact("actuators", configured.actuators.size());
  for (std::size_t i = 0; i < configured.actuators.size(); ++i) {
    const std::string key = "actuators[" + std::to_string(i) + "].";
    document.fact(key + "name", configured.actuators[i].name);
    document.fact(key + "kind", kind_name(configured.actuators[i].kind));
  }
  for (std::size_t i = 0; i < configured.limits.size(); ++i) {
    const ActuatorLimits& limits = configured.limits[i];
    const std::string key = "limits.actuators[" + std::to_string(i) + "].";
    const Units units =
        units_of(i < configured.actuators.size() ? configured.actuators[i].kind
                                                 : DofKind::kTranslation);
    document.fact(key + "displacement" + units.motion, limits.displacement);
    document.fact(key + "rate" + units.rate, limits.rate);
    document.fact(key + "acceleration" + units.acceleration, limits.acceleration);
    document.fact(key + "force" + units.force, limits.force);
    document.fact(key + "tracking_error" + units.motion, limits.tracking_error);
    document.fact(key + "tracking_dwell_s", limits.tracking_dwell);
    document.fact(key + "energy_error", limits.energy_error);
  }
}

}  // namespace

std::string contract_text(const SiteDescription& site, const Configure& configure,
                          const Configured& configured, const ContractDescriptions& words) {
  Document document;
  document.fact("contract", "trestle 1");
  document.fact("protocol", kProtocolVersion.major);
  document.fact("test", configure.test);
  document.fact("session", to_hex(configure.session));
  document.fact("model", configure.model);
  document.fact("integrator.software", configure.software);
  document.fact("site", site.name);
  document.fact("site.software", site.software);
  document.fact("site.real_equipment", site.real_equipment);
  document.fact("site.hardware_watchdog", site.hardware_watchdog);
  document.fact("site.shortest_tick_s", site.shortest_tick);
  add_pace(document, configure);
  add_interface(document, configured.layout);
  // Written only for sites with such mass, so that earlier contracts keep their text.
  for (std::size_t i = 0; i < configure.specimen_mass.size(); ++i)
    document.fact("specimen_mass[" + std::to_string(i) + "]", configure.specimen_mass[i]);
  if (configure.inertia_measured) document.fact("inertia", "measured");
  add_actuators(document, configured);
  document.fact("compensator", readable(words.compensator));
  document.fact("compensator.sha256", sha256(configure.compensator));
  document.fact("controller", readable(words.controller));
  document.fact("controller.sha256", sha256(configure.controller));
  for (const auto& [key, value] : words.stated)
    document.fact(std::string(kStated) + on_one_line(key), value);
  return std::move(document).text();
}

std::string contract_hash(const std::string& text) {
  return sha256(text);
}

ContractEntries parse_site_entries(const std::string& contract) {
  ContractEntries facts;
  for (auto& [key, value] : parse_contract_lines(contract))
    if (key.starts_with(kStated))
      facts.emplace_back(key.substr(kStated.size()), std::move(value));
  return facts;
}

}  // namespace trestle::session
