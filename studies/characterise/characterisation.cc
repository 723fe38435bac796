#include "studies/characterise/characterisation.h"

#include <cmath>

#include "core/session/fault_sentence.h"
#include "studies/characterise/exercise_plan.h"
#include "studies/characterise/motion_findings.h"
#include "studies/characterise/rig_exercise.h"

namespace trestle {
namespace {

// A delay that does not stand out of its deviation by so much is none.
constexpr double kSure = 3.0;

/// What goes on from one move to the next.
class Characterisation {
 public:
  Characterisation(const CharacteriseSettings& settings, const RigLimits& limits,
                   SiteAdapter& adapter, const std::function<bool()>& asked)
      : settings_(settings),
        rig_(adapter.description()),
        exercise_(limits, settings.tick, adapter),
        asked_(asked) {
    if (!settings.actuators.empty()) rig_.actuators = settings.actuators;
    report_.actuators.resize(limits.size());
  }

  CharacteriseReport run(const ExercisePlan& plan, const RigLimits& limits,
                         const LoadingFrame& frame) {
    if (exercise_.open(now())) {
      fail();
      return std::move(report_);
    }
    check_plan(plan, settings_, limits, rig_.actuators, frame, exercise_.position());
    if (small_motions(plan)) signals(plan);
    report_.duration = static_cast<double>(ticks_) * settings_.tick;
    return std::move(report_);
  }

 private:
  TimePoint now() const {
    return TimePoint(
        Duration(std::llround(1e9 * static_cast<double>(ticks_) * settings_.tick)));
  }

  /// Virtual time: as fast as the rig goes.
  bool move(const ExerciseMove& move) {
    exercise_.begin(move);
    while (exercise_.tick(now())) {
      ++ticks_;
      if (!asked_()) continue;
      exercise_.hold();
      report_.end = CharacteriseEnd::kAsked;
      report_.reason = "the person at the site asked for a stop; the rig holds";
      return false;
    }
    return !exercise_.fault() || fail();
  }

  bool fail() {
    report_.end = CharacteriseEnd::kFault;
    report_.fault = exercise_.fault();
    report_.reason = fault_sentence(report_.fault, {}, rig_.actuators) + "; the rig holds";
    return false;
  }

  bool small_motions(const ExercisePlan& plan) {
    if (!move(plan.rest)) return false;
    learn_rest(exercise_.record(), exercise_.position(), report_.actuators);
    for (std::size_t i = 0; i < report_.actuators.size(); ++i) {
      ActuatorFinding& finding = report_.actuators[i];
      if (!move(plan.polarity[i])) return false;
      report_.reason = learn_polarity(exercise_.record(), rig_.actuators[i], i, finding);
      if (!report_.reason.empty()) {
        report_.end = CharacteriseEnd::kPolarity;
        return false;
      }
      if (!move(plan.step[i])) return false;
      learn_step(exercise_.record(), settings_.tick, plan.step_rise, plan.step_hold, i,
                 finding);
    }
    return true;
  }

  /// Fits take their time; they wait until nothing moves any more.
  bool signals(const ExercisePlan& plan) {
    std::vector<ExerciseRecord> records;
    for (const ExerciseMove& signal : plan.signal) {
      if (!move(signal)) return false;
      records.push_back(exercise_.record());
    }
    for (std::size_t i = 0; i < records.size(); ++i) learn_signal(records[i], i);
    return true;
  }

  ResponseLines lines(const ExerciseRecord& record, std::size_t to) const {
    return response_lines(record.drive, record.displacement[to], settings_.tick,
                          settings_.lowest, settings_.highest);
  }

  void learn_signal(const ExerciseRecord& record, std::size_t from) {
    TransferEstimate& own = report_.actuators[from].transfer;
    const ResponseLines of_itself = lines(record, from);
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
                                                 .may_be_nothing = true})});
    }
  }

  static void learn_crosstalk(const ResponseLines& other, std::size_t to,
                              ActuatorFinding& from) {
    const double part = response_size(other);
    if (part <= from.crosstalk) return;
    from.crosstalk = part;
    from.crosstalk_to = static_cast<int>(to);
  }

  const CharacteriseSettings& settings_;
  RigDescription rig_;
  RigExercise exercise_;
  const std::function<bool()>& asked_;
  std::int64_t ticks_ = 0;
  CharacteriseReport report_;
};

}  // namespace

CharacteriseReport characterise(const CharacteriseSettings& settings,
                                const RigLimits& limits, const LoadingFrame& frame,
                                SiteAdapter& adapter, const std::function<bool()>& asked) {
  const ExercisePlan plan = make_plan(settings, limits, adapter.description());
  adapter.prepare({.tick = settings.tick, .seed = settings.seed});
  return Characterisation(settings, limits, adapter, asked).run(plan, limits, frame);
}

}  // namespace trestle
