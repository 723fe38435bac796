#include "studies/characterisation/characterisation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/session/fault_text.h"
#include "site-servers/checks/startup_checks.h"
#include "studies/characterisation/excitation_plan.h"
#include "studies/characterisation/gated_excitation.h"
#include "studies/characterisation/motion_findings.h"
#include "studies/characterisation/motion_signal.h"

namespace trestle::characterisation {
namespace {

// A delay that does not stand out of its deviation by so much is none.
constexpr double kSure = 3.0;

/// Uses the rig's own words if it has some.
std::string rig_fault_sentence(const Fault& fault,
                               const std::vector<ActuatorDescription>& actuators,
                               const SiteAdapter& adapter) {
  return session::with_words_of_rig(fault, session::format_fault(fault, {}, actuators),
                                    adapter.diagnostic_message());
}

/// Virtual time: as fast as the rig goes.
class VirtualDriver final : public ExerciseDriver {
 public:
  VirtualDriver(double tick, const std::function<bool()>& asked)
      : tick_(tick), asked_(asked) {}

  void open(GatedExcitation& exercise) override { exercise.open(now()); }
  bool drive(GatedExcitation& exercise, const ExcitationSegment& move) override {
    exercise.begin(move);
    while (exercise.tick(now())) {
      ++ticks_;
      if (asked_()) exercise.hold();
    }
    return !exercise.fault();
  }
  void rest(GatedExcitation& /*exercise*/) override {}
  std::int64_t ticks() const noexcept override { return ticks_; }

 private:
  TimePoint now() const {
    return TimePoint(Duration(std::llround(1e9 * static_cast<double>(ticks_) * tick_)));
  }

  double tick_;
  const std::function<bool()>& asked_;
  std::int64_t ticks_ = 0;
};

/// The state that is kept from one move to the next.
class Characterisation {
 public:
  Characterisation(const CharacteriseSettings& settings, const RigLimits& limits,
                   SiteAdapter& adapter, ExerciseDriver& driver, const EquipmentCare* care)
      : settings_(settings),
        rig_(adapter.description()),
        adapter_(adapter),
        exercise_(limits, settings.tick, adapter),
        driver_(driver),
        care_(care) {
    if (!settings.actuators.empty()) rig_.actuators = settings.actuators;
    report_.actuators.resize(limits.size());
  }

  /// @pre before run()
  void stood(const std::optional<DriveInForce>& before) { exercise_.stood(before); }

  CharacteriseReport run(const ExcitationPlan& plan, const RigLimits& limits,
                         const LoadingFrame& frame) {
    driver_.open(exercise_);
    if (exercise_.fault()) {
      fail();
      return std::move(report_);
    }
    check_plan(plan, settings_, {limits, rig_.actuators, frame, exercise_.position()});
    for (const auto* moves : {&plan.polarity, &plan.step, &plan.signal})
      for (const ExcitationSegment& move : *moves)
        planned_ += static_cast<std::int64_t>(move.offsets.size());
    planned_ += static_cast<std::int64_t>(plan.rest.offsets.size());
    if (small_motions(plan)) signals(plan);
    report_.duration = static_cast<double>(driver_.ticks()) * settings_.tick;
    return std::move(report_);
  }

 private:
  bool move(const ExcitationSegment& move, const std::string& what) {
    if (care_ != nullptr && care_->tell) care_->tell(what, planned_);
    return driver_.drive(exercise_, move) || fail();
  }

  bool fail() {
    report_.fault = exercise_.fault();
    if (report_.fault.kind == FaultKind::kStopped) {
      report_.end = CharacterisationOutcome::kAsked;
      report_.reason = "the person at the site asked for a stop; the rig holds";
      return false;
    }
    report_.end = CharacterisationOutcome::kFault;
    report_.reason =
        rig_fault_sentence(report_.fault, rig_.actuators, adapter_) + "; the rig holds";
    return false;
  }

  std::string of(std::size_t actuator, const char* what) const {
    const std::string& own = rig_.actuators[actuator].name;
    return "actuator " + (own.empty() ? std::to_string(actuator + 1) : own) + ": " + what;
  }

  bool small_motions(const ExcitationPlan& plan) {
    if (!move(plan.rest, "at rest")) return false;
    analyse_rest(exercise_.record(), exercise_.position(), report_.actuators);
    for (std::size_t i = 0; i < report_.actuators.size(); ++i) {
      ActuatorFinding& finding = report_.actuators[i];
      if (!move(plan.polarity[i], of(i, "the first motion"))) return false;
      report_.reason = analyse_polarity(exercise_.record(), rig_.actuators[i], i, finding);
      if (!report_.reason.empty()) {
        report_.end = CharacterisationOutcome::kPolarity;
        return false;
      }
      if (!move(plan.step[i], of(i, "the step"))) return false;
      analyse_step(exercise_.record(), {settings_.tick, plan.step_rise, plan.step_hold}, i,
                   finding);
    }
    return true;
  }

  /// Fits take their time; they wait until nothing moves any more.
  bool signals(const ExcitationPlan& plan) {
    std::vector<ExerciseRecord> records;
    for (std::size_t i = 0; i < plan.signal.size(); ++i) {
      if (!move(plan.signal[i], of(i, settings_.noise ? "the noise" : "the chirp")))
        return false;
      records.push_back(exercise_.record());
    }
    driver_.rest(exercise_);
    for (std::size_t i = 0; i < records.size(); ++i) learn_signal(records[i], i);
    return true;
  }

  FrequencyResponseData lines(const ExerciseRecord& record, std::size_t to) const {
    return response_lines(record.drive, record.displacement[to], settings_.tick,
                          settings_.lowest, settings_.highest);
  }

  void learn_signal(const ExerciseRecord& record, std::size_t from) {
    IdentifiedTransfer& own = report_.actuators[from].transfer;
    const FrequencyResponseData of_itself = lines(record, from);
    own = estimate_transfer(of_itself, {.order = settings_.order});
    for (std::size_t to = 0; to < report_.actuators.size(); ++to)
      if (to != from) learn_crosstalk(lines(record, to), to, report_.actuators[from]);
    if (!settings_.coupled) return;
    // One delay for all that one drive does.
    if (own.transfer.delay < kSure * own.delay_deviation) {
      const double free_deviation = own.delay_deviation;
      own = estimate_transfer(of_itself, {.order = settings_.order, .delay = 0.0});
      own.delay_deviation = free_deviation;
    }
    for (std::size_t to = 0; to < report_.actuators.size(); ++to) {
      if (to == from) continue;
      report_.coupling.push_back(
          {static_cast<int>(to), static_cast<int>(from),
           estimate_transfer(lines(record, to), {.order = settings_.order,
                                                 .delay = own.transfer.delay,
                                                 .allow_no_response = true})});
    }
  }

  static void learn_crosstalk(const FrequencyResponseData& other, std::size_t to,
                              ActuatorFinding& from) {
    const double part = rms_gain(other);
    if (part <= from.crosstalk) return;
    from.crosstalk = part;
    from.crosstalk_to = static_cast<int>(to);
  }

  const CharacteriseSettings& settings_;
  RigDescription rig_;
  SiteAdapter& adapter_;
  GatedExcitation exercise_;
  ExerciseDriver& driver_;
  const EquipmentCare* care_;
  std::int64_t planned_ = 0;  // ticks
  CharacteriseReport report_;
};

/// Why real equipment does not move: looked at before anybody is asked to arm it.
CharacteriseReport refused_where_it_stands(
    const Fault& fault, const std::vector<ActuatorDescription>& actuators,
    SiteAdapter& adapter) {
  CharacteriseReport report;
  report.end = CharacterisationOutcome::kFault;
  report.fault = fault;
  report.reason = rig_fault_sentence(fault, actuators, adapter) + "; the rig holds";
  return report;
}

/// Tells the equipment that it is driven, as long as this exists.
class DrivenNotice {
 public:
  explicit DrivenNotice(SiteAdapter& rig) : rig_(rig) {
    rig_.report({.ready = true, .running = true});
  }
  ~DrivenNotice() { rig_.report({}); }
  DrivenNotice(const DrivenNotice&) = delete;
  DrivenNotice& operator=(const DrivenNotice&) = delete;

 private:
  SiteAdapter& rig_;
};

}  // namespace

CharacteriseReport characterise(const CharacteriseSettings& settings,
                                const RigLimits& limits, const LoadingFrame& frame,
                                SiteAdapter& adapter, const std::function<bool()>& asked) {
  const ExcitationPlan plan = make_plan(settings, limits, adapter.description());
  adapter.prepare({.tick = settings.tick, .seed = settings.seed});
  const DrivenNotice driven(adapter);
  VirtualDriver driver(settings.tick, asked);
  return Characterisation(settings, limits, adapter, driver, nullptr)
      .run(plan, limits, frame);
}

CharacteriseReport characterise(const CharacteriseSettings& settings,
                                const RigLimits& limits, const LoadingFrame& frame,
                                SiteAdapter& adapter, const EquipmentCare& care) {
  const RigDescription rig = adapter.description();
  const ExcitationPlan plan = make_plan(settings, limits, rig);
  const RigRun run{.tick = settings.tick, .seed = settings.seed, .wall_clock = true};
  adapter.prepare(run);
  const auto& actuators = settings.actuators.empty() ? rig.actuators : settings.actuators;
  std::optional<DriveInForce> stood = care.stood;
  GatedExcitation look(limits, settings.tick, adapter);
  look.stood(stood);
  if (const Fault fault = look.open({}))
    return refused_where_it_stands(fault, actuators, adapter);
  check_plan(plan, settings, {limits, actuators, frame, look.position()});
  const auto ended = [](CharacterisationOutcome end, const std::string& why) {
    CharacteriseReport report;
    report.end = end;
    report.reason = why;
    return report;
  };
  if (const std::string why = care.armed(); !why.empty())
    return ended(CharacterisationOutcome::kAsked, why);
  adapter.prepare(run);  // the operator took his time
  const DrivenNotice driven(adapter);
  EquipmentDriverSettings by_time = care.driver;
  by_time.tick = settings.tick;
  EquipmentDriver driver(by_time, adapter);
  if (care.start_checks.any()) {
    if (care.tell) care.tell("start-up checks", 0);
    checks::StartupChecks checks(care.start_checks, limits, actuators, settings.tick);
    if (stood) checks.stood(*stood);
    std::string why = driver.check(checks);
    if (const std::string words = adapter.diagnostic_message();
        !why.empty() && !words.empty())
      why += ": " + words;
    if (!why.empty())
      return ended(driver.asked().empty() ? CharacterisationOutcome::kRefused
                                          : CharacterisationOutcome::kAsked,
                   why);
    stood = DriveInForce{checks.drive(), checks.drive(), checks.drive(), checks.measured()};
  }
  Characterisation measurement(settings, limits, adapter, driver, &care);
  measurement.stood(stood);
  CharacteriseReport report = measurement.run(plan, limits, frame);
  if (report.end == CharacterisationOutcome::kAsked && !driver.asked().empty())
    report.reason = driver.asked() + "; the rig holds";
  report.overruns = driver.overruns();
  report.latest = driver.latest();
  return report;
}

std::string planned_motions(const CharacteriseSettings& settings, const RigLimits& limits,
                            const RigDescription& rig) {
  const ExcitationPlan plan = make_plan(settings, limits, rig);
  std::string text;
  for (std::size_t i = 0; i < plan.signal.size(); ++i) {
    const DofKind kind =
        i < settings.actuators.size() ? settings.actuators[i].kind : DofKind::kTranslation;
    const char* const unit = kind == DofKind::kRotation ? "mrad" : "mm";
    const auto one = [&](double value, double limit, const std::string& per) {
      char words[120];
      std::snprintf(words, sizeof words, "%.4g %s%s (limit %.4g %s%s)", 1e3 * value, unit,
                    per.c_str(), 1e3 * limit, unit, per.c_str());
      return std::string(words);
    };
    const std::vector<double>& signal = plan.signal[i].offsets;
    const double reach =
        std::max(motion::largest(signal), motion::largest(plan.step[i].offsets));
    const std::string& own = rig.actuators[i].name;
    text += "actuator " + (own.empty() ? std::to_string(i + 1) : own) + ": up to " +
            one(reach, limits[i].displacement, "") + " from where it stands, " +
            one(motion::largest_rate(signal, settings.tick), limits[i].rate, "/s") + "\n";
  }
  return text;
}

}  // namespace trestle::characterisation
