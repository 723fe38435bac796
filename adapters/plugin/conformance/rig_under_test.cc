#include "adapters/plugin/conformance/rig_under_test.h"

#include <dlfcn.h>

#include <array>

namespace trestle::conformance {
namespace {

constexpr std::uint32_t kTextLength = 512;

void* opened_rig(const trestle_adapter_v1& table, const std::string& settings,
                 std::string& why) {
  std::array<char, kTextLength> text{};
  void* const rig = table.open(settings.c_str(), text.data(), kTextLength);
  text.back() = '\0';
  why = text.data();
  return rig;
}

trestle_rig_capabilities described(const trestle_adapter_v1& table, void* rig) {
  trestle_rig_capabilities is{};
  is.size = sizeof(is);
  if (rig != nullptr) table.describe(rig, &is);
  return is;
}

}  // namespace

RigUnderTest::RigUnderTest(const trestle_adapter_v1& table, const std::string& settings,
                           const Clock& clock)
    : table_(table),
      clock_(clock),
      rig_(opened_rig(table, settings, why_)),
      is_(described(table, rig_)),
      reading_(is_),
      begin_(reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "trestle_probe_begin"))),
      end_(reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "trestle_probe_end"))) {}

RigUnderTest::~RigUnderTest() {
  if (rig_ != nullptr) table_.close(rig_);
}

std::string RigUnderTest::prepare(double tick, std::uint64_t seed) {
  std::array<char, kTextLength> text{};
  trestle_run run{};
  run.size = sizeof(run);
  run.tick_s = tick;
  run.seed = seed;
  if (table_.prepare(rig_, &run, text.data(), kTextLength) == TRESTLE_ADAPTER_OK) return {};
  text.back() = '\0';
  return text[0] == '\0' ? "it does not say why" : text.data();
}

trestle_adapter_status RigUnderTest::read(std::int64_t now_ns) {
  return table_.read(rig_, now_ns, &reading_.clear());
}

trestle_adapter_status RigUnderTest::write(const std::vector<double>& drive) {
  return table_.write(rig_, drive.data());
}

TickResult RigUnderTest::tick(std::int64_t now_ns, const std::vector<double>& drive) {
  TickResult done;
  const TimePoint begun = clock_.now();
  done.forbidden = watch([&] {
    done.read = read(now_ns);
    if (!drive.empty() && done.read != TRESTLE_ADAPTER_TRIPPED) done.write = write(drive);
  });
  done.spent = clock_.now() - begun;
  return done;
}

std::string RigUnderTest::diagnostic_message() const {
  std::array<char, kTextLength> text{};
  table_.diagnose(rig_, text.data(), kTextLength);
  text.back() = '\0';
  return text.data();
}

std::vector<double> RigUnderTest::numbers() const {
  const trestle_sensed& sensed = reading_.sensed();
  std::vector<double> all;
  const auto add = [&all](const double* from, std::uint32_t count) {
    if (from != nullptr) all.insert(all.end(), from, from + count);
  };
  for (const double* array :
       {sensed.displacement, sensed.force, sensed.velocity, sensed.acceleration})
    add(array, is_.actuators);
  add(sensed.reaction, is_.reactions);
  add(sensed.auxiliary, is_.auxiliary_channels);
  return all;
}

}  // namespace trestle::conformance
