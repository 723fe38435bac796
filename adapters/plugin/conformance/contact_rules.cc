#include "adapters/plugin/conformance/contact_rules.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

namespace trestle::conformance {
namespace {

struct ContactCounts {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  bool operator==(const ContactCounts&) const = default;
};

ContactCounts counts_of(const RuleChecks& checks, const RigUnderTest& rig) {
  ContactCounts counts;
  checks.table.contacts->count(rig.handle(), &counts.inputs, &counts.outputs);
  return counts;
}

/// The description of each contact, in order.
std::vector<trestle_channel> all_contacts(const RuleChecks& checks, const RigUnderTest& rig,
                                          const ContactCounts& counts) {
  std::vector<trestle_channel> channels;
  const auto add = [&](std::uint32_t what, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      trestle_channel said{};
      said.size = sizeof(said);
      checks.table.describe_channel(rig.handle(), what, i, &said);
      channels.push_back(said);
    }
  };
  add(TRESTLE_INPUT, counts.inputs);
  add(TRESTLE_OUTPUT, counts.outputs);
  return channels;
}

void check_counts(RuleChecks& checks, const ContactCounts& counts) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  const std::vector<trestle_channel> before = all_contacts(checks, rig, counts);
  rig.prepare(checks.tick, 1);
  rig.read(0);
  std::string broken;
  if (counts_of(checks, rig) != counts)
    broken = "it has other contacts after a read";
  else if (const auto after = all_contacts(checks, rig, counts);
           std::memcmp(before.data(), after.data(),
                       before.size() * sizeof(trestle_channel)) != 0)
    broken = "it says something else of a contact after a read";
  checks.add("R18", "has the same digital inputs and outputs at every call", broken,
             std::to_string(counts.inputs) + " inputs, " + std::to_string(counts.outputs) +
                 " outputs");
}

/// What is wrong with the inputs of one tick; empty: nothing.
std::string wrong_inputs(const trestle_inputs& said, std::uint32_t count) {
  if (said.size != sizeof(said) || said.reserved != 0)
    return "it changed `size` or the reserved word";
  if (std::uint64_t{said.known | said.closed} >> count != 0)
    return "it sets a bit beyond its last input";
  if ((said.closed & ~said.known) != 0)
    return "an input that is not known is closed; leave its bit 0";
  return {};
}

void check_inputs(RuleChecks& checks, const ContactCounts& counts) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 1);
  const TimePoint begun = checks.clock.now();
  std::string broken;
  std::vector<Duration> spent;
  spent.reserve(static_cast<std::size_t>(checks.settings.ticks));
  for (int n = 0; n < checks.settings.ticks && broken.empty(); ++n) {
    checks.keep_time(begun, n);
    const TimePoint tick_begun = checks.clock.now();
    rig.read(checks.time_of(n));
    trestle_inputs said{};
    said.size = sizeof(said);
    const char* const called =
        rig.watch([&] { checks.table.contacts->inputs(rig.handle(), &said); });
    spent.push_back(checks.clock.now() - tick_begun);
    broken = wrong_inputs(said, counts.inputs);
    if (called != nullptr) broken = std::string("it calls ") + called + "()";
  }
  checks.add("R19", "gives its inputs after each read, and neither blocks nor allocates",
             broken);
  // The host may take the processor away now and then, as in R11.
  const auto high = spent.begin() + static_cast<std::ptrdiff_t>(spent.size() * 99 / 100);
  std::nth_element(spent.begin(), high, spent.end());
  char text[80];
  std::snprintf(text, sizeof text, "p99 %.1f us of a tick of %.1f us", 1e6 * seconds(*high),
                1e6 * checks.tick);
  checks.add("R19", "read and inputs together take less than a tick",
             seconds(*high) < checks.tick ? "" : std::string("too long: ") + text, text);
}

/// Real equipment is told nothing but that all outputs are open.
void check_outputs(RuleChecks& checks) {
  const std::uint32_t most = checks.real ? 0U : ~0U;
  std::string broken;
  const auto set = [&](RigUnderTest& rig, const char* state) {
    for (const std::uint32_t closed : {most, 0U}) {
      const char* const called =
          rig.watch([&] { checks.table.contacts->set_outputs(rig.handle(), closed); });
      if (called != nullptr && broken.empty())
        broken = std::string("set_outputs ") + state + " calls " + called + "()";
    }
  };
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  set(rig, "before a run");
  rig.prepare(checks.tick, 1);
  set(rig, "after prepare");
  rig.read(0);
  set(rig, "after read");
  checks.table.hold(rig.handle());
  set(rig, "after hold");
  checks.table.stop(rig.handle());
  set(rig, "after stop");
  checks.add("R20", "sets its outputs in every state, and neither blocks nor allocates",
             broken);
}

void check_outputs_beside(RuleChecks& checks) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 1);
  const std::uint32_t most = checks.real ? 0U : ~0U;
  std::jthread beside([&] {
    for (std::uint32_t i = 0; i < 100; ++i)
      checks.table.contacts->set_outputs(rig.handle(), i % 2 == 0 ? most : 0U);
  });
  int tripped = 0;
  for (int n = 0; n < 100; ++n)
    if (rig.read(checks.time_of(n)) == TRESTLE_ADAPTER_TRIPPED) ++tripped;
  beside.join();
  checks.add("R20", "sets its outputs on another thread while it is read",
             tripped == 0
                 ? ""
                 : "it trips while another thread sets them: " + rig.diagnostic_message());
}

}  // namespace

void check_contacts(RuleChecks& checks) {
  if (checks.table.contacts == nullptr) return;
  ContactCounts counts;
  {
    const RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
    counts = counts_of(checks, rig);
  }
  if (counts == ContactCounts{}) return;
  check_counts(checks, counts);
  if (counts.inputs > 0) check_inputs(checks, counts);
  if (counts.outputs == 0) return;
  check_outputs(checks);
  check_outputs_beside(checks);
}

}  // namespace trestle::conformance
