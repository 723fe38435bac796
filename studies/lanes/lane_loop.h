#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "core/lanes/pack.h"
#include "numerical/integration/average_acceleration.h"
#include "numerical/integration/structure_rows.h"
#include "studies/lanes/lane_parts.h"
#include "studies/lanes/lane_problem.h"

namespace trestle::lanes {

/// The steps of a batch, without messages, clocks and records: `double` is one run, a pack
/// one run per lane. The order of all operations is that of the nodes.
///
/// A lane that leaves the common path (a limit, a value that is not finite) is marked, and
/// continues as ballast: its run must be repeated by the nodes.
template <typename Real>
class LaneLoop {
 public:
  static constexpr int kLanes = MaskOf<Real>::kLanes;

  explicit LaneLoop(const LaneProblem& problem) : problem_(problem) {
    gather();
    const Eigen::Index equations = problem.equations;
    state_.displacement.setConstant(equations, Real(0.0));
    state_.velocity = state_.acceleration = load_ = solved_ = state_.displacement;
    motion_.resize(static_cast<std::size_t>(equations));
    force_.setConstant(problem.forces, Real(0.0));
    drive_.setConstant(kLaneActuators, Real(0.0));
    row_.resize(static_cast<std::size_t>(LaneRow::size(problem.forces, problem.recorded)));
    static_assert(sizeof(Real) == kLanes * sizeof(double));
  }

  void run(const LaneHost& host) {
    read(0);
    for (int i = 0; i < kLaneActuators; ++i) {
      mark(abs(measured_[i]), problem_.limits[i].displacement);
      last_drive_[i] = drive_before_[i] = command_[i] = measured_[i];
    }
    if (!hand_out(host, kBefore)) return;
    for (std::int64_t step = 0; step < problem_.steps; ++step) {
      predict(step);
      act(host);
      read(step + 1);
      if (step + 1 == problem_.steps && problem_.narx_window > 0) hand_learnt(host);
      if (!hand_out(host, step)) return;
    }
  }

 private:
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Mask = typename MaskOf<Real>::Type;
  static constexpr std::int64_t kBefore = -1;

  static Real abs(Real value) noexcept {
    using std::abs;
    return abs(value);
  }

  /// Reads the fields of all lanes side by side.
  class Gathering {
   public:
    explicit Gathering(const double* const* lanes) : lanes_(lanes) {}
    template <typename... Field>
    void operator()(Field&... field) {
      (read(field), ...);
    }

   private:
    void read(Real& value) {
      for (int lane = 0; lane < kLanes; ++lane) set_lane(value, lane, lanes_[lane][at_]);
      ++at_;
    }
    template <typename Derived>
    void read(Eigen::PlainObjectBase<Derived>& matrix) {
      const auto rows = static_cast<Eigen::Index>(lanes_[0][at_++]);
      const auto columns = static_cast<Eigen::Index>(lanes_[0][at_++]);
      matrix.resize(rows, columns);
      for (Eigen::Index j = 0; j < columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i) read(matrix(i, j));
    }

    const double* const* lanes_;
    std::size_t at_ = 0;
  };

  void gather() {
    Gathering gathering(problem_.parts);
    LaneParts<Real>::fields(parts_, gathering);
    parts_.coupler.sine_in_inverse = problem_.sine_in_inverse;
    if (problem_.narx_window > 0)
      for (auto& actuator : parts_.narx) actuator.start(problem_.narx_window);
  }

  Real& row(int place) noexcept { return row_[static_cast<std::size_t>(place)]; }

  void mark(Real value, double limit) noexcept {
    left_ = left_ | exceeds(value, Real(limit));
  }
  void mark_unless_finite(Real value) noexcept {
    mark(abs(value), std::numeric_limits<double>::max());
  }

  /// The motion of this step with the forces of the last one.
  void predict(std::int64_t step) noexcept {
    integration::predict_average_acceleration(problem_.time_step, state_);
    const double* const load = problem_.loads + step * problem_.equations;
    for (Eigen::Index i = 0; i < load_.size(); ++i) load_[i] = Real(load[i]);
    for (int i = 0; i < problem_.forces; ++i)
      load_[problem_.force_equations[i]] -= interface_force_[i];
    for (Eigen::Index i = 0; i < load_.size(); ++i)
      motion_[static_cast<std::size_t>(i)] = {state_.displacement[i], state_.velocity[i]};
    integration::subtract_rows(problem_.rows, motion_.data(), load_.data(), solved_.data());
    solve();
    integration::correct_average_acceleration(problem_.time_step, state_);
    Real sum(0.0);
    for (Eigen::Index i = 0; i < load_.size(); ++i) sum += state_.acceleration[i];
    mark_unless_finite(sum);
  }

  /// The product with the inverse: per equation a running sum from zero. As many
  /// equations at a time as sums fit into the registers.
  void solve() noexcept {
    constexpr int kBlock = 8;
    const int n = problem_.equations;
    for (int first = 0; first < n; first += kBlock) {
      const int rows = n - first < kBlock ? n - first : kBlock;
      Real sums[kBlock];
      for (Real& sum : sums) sum = Real(0.0);
      if (rows == kBlock)
        add_columns<kBlock>(first, kBlock, sums);
      else
        add_columns<0>(first, rows, sums);
      for (int i = 0; i < rows; ++i) state_.acceleration[first + i] = sums[i];
    }
  }
  template <int Fixed>
  void add_columns(int first, int rows, Real* sums) noexcept {
    const int count = Fixed > 0 ? Fixed : rows;
    const double* column = problem_.inverse + first;
    for (int j = 0; j < problem_.equations; ++j, column += problem_.equations) {
      const Real x = solved_[j];
      for (int i = 0; i < count; ++i) sums[i] += Real(column[i]) * x;
    }
  }

  /// From the target to the drive.
  void act(const LaneHost& host) noexcept {
    Real target[kLaneActuators], rate[kLaneActuators], change[kLaneActuators];
    for (int i = 0; i < kLaneActuators; ++i) {
      const int equation = problem_.force_equations[i];
      target[i] = state_.displacement[equation];
      rate[i] = state_.velocity[equation];
      change[i] = state_.acceleration[equation];
      for (const Real value : {target[i], rate[i], change[i]}) mark_unless_finite(value);
      mark(abs(target[i]), problem_.limits[i].target);
      row(LaneRow::kTarget + i) = target[i];
    }
    Real* const stroke = &row(LaneRow::kStroke);
    parts_.coupler.to_actuators(target, stroke);
    for (int i = 0; i < kLaneActuators; ++i)
      mark(abs(stroke[i]), problem_.limits[i].displacement);
    Real asked[kLaneActuators] = {stroke[0], stroke[1]};
    if (problem_.forwards_targets) {
      for (int i = 0; i < kLaneActuators; ++i) command_[i] = stroke[i];
    } else if (problem_.narx_window > 0) {
      for (int i = 0; i < kLaneActuators; ++i) {
        asked[i] = command_[i] =
            parts_.narx[i].command(stroke[i], measured_[i], command_[i]);
        left_ = left_ | parts_.narx[i].left();
      }
    } else {
      ask(host, target, rate, change, asked);
    }
    for (int i = 0; i < kLaneActuators; ++i) pass(i, asked[i]);
  }

  void ask(const LaneHost& host, const Real* target, const Real* rate, const Real* change,
           Real* asked) noexcept {
    Real request[LaneRequest::kSize];
    Real answer[2 * kLaneActuators];
    parts_.coupler.to_actuator_rates(target, rate, change, &request[LaneRequest::kRate],
                                     &request[LaneRequest::kAcceleration]);
    for (int i = 0; i < kLaneActuators; ++i) {
      request[LaneRequest::kStroke + i] = row(LaneRow::kStroke + i);
      request[LaneRequest::kMeasured + i] = measured_[i];
      request[LaneRequest::kForce + i] = actuator_force_[i];
      request[LaneRequest::kLastCommand + i] = command_[i];
    }
    host.drive(host.context, reinterpret_cast<const double*>(request),
               reinterpret_cast<double*>(answer));
    for (int i = 0; i < kLaneActuators; ++i) {
      command_[i] = answer[i];
      asked[i] = answer[kLaneActuators + i];
    }
  }

  /// The safety gate, without its dwell: what it would hold back leaves the path.
  void pass(int actuator, Real drive) noexcept {
    const LaneLimits& limits = problem_.limits[actuator];
    const Real ticks_per_second(1.0 / problem_.time_step);
    const Real last = last_drive_[actuator];
    mark(abs(last - measured_[actuator]), limits.tracking_error);
    mark_unless_finite(drive);
    mark(abs(drive), limits.displacement);
    mark(abs(drive - last) * ticks_per_second, limits.rate);
    mark(abs(drive - Real(2.0) * last + drive_before_[actuator]) * ticks_per_second *
             ticks_per_second,
         limits.acceleration);
    drive_before_[actuator] = last;
    last_drive_[actuator] = drive_[actuator] = drive;
  }

  /// One read of the rig: its first one finds it at rest.
  void read(std::int64_t number) noexcept {
    if (number > 0) parts_.actuators.move(drive_);
    const double* const noise = problem_.noise + number * kLaneActuators;
    for (int i = 0; i < kLaneActuators; ++i) {
      measured_[i] = (number > 0 ? parts_.actuators.output[i] : Real(0.0)) + Real(noise[i]);
      mark_unless_finite(measured_[i]);
    }
    const auto turn = parts_.coupler.turn(measured_);
    Vector position(kLaneActuators);
    parts_.coupler.to_interface(measured_, turn.sine, turn.theta, position.data());
    parts_.specimen.advance(position, force_);
    parts_.coupler.force_to_actuators(force_.data(), turn.lever, actuator_force_);
    Real* const of_interface = &row(LaneRow::kInterfaceForce);
    parts_.coupler.force_to_interface(actuator_force_, turn.lever, of_interface);
    for (int i = kLaneActuators; i < problem_.forces; ++i) of_interface[i] = force_[i];
    for (int i = 0; i < problem_.forces; ++i) mark_unless_finite(of_interface[i]);
    interface_force_ = of_interface;
    for (int i = 0; i < kLaneActuators; ++i) {
      mark(abs(actuator_force_[i]), problem_.limits[i].force);
      mark_unless_finite(actuator_force_[i]);
      mark_unless_finite(position[i]);
      row(LaneRow::kMeasured + i) = measured_[i];
      row(LaneRow::kForce + i) = actuator_force_[i];
      row(LaneRow::kPosition + i) = position[i];
    }
  }

  bool hand_out(const LaneHost& host, std::int64_t step) noexcept {
    for (int i = 0; i < problem_.recorded; ++i)
      row(LaneRow::recorded(problem_.forces) + i) =
          state_.displacement[problem_.recorded_equations[i]];
    unsigned char left[static_cast<std::size_t>(kLanes)];
    for (int lane = 0; lane < kLanes; ++lane) left[lane] = is_set(left_, lane) ? 1 : 0;
    return host.row(host.context, step, reinterpret_cast<const double*>(row_.data()), left);
  }

  void hand_learnt(const LaneHost& host) {
    std::vector<Real> coefficients;
    for (const auto& actuator : parts_.narx)
      coefficients.insert(coefficients.end(), actuator.coefficients.begin(),
                          actuator.coefficients.end());
    host.learnt(host.context, reinterpret_cast<const double*>(coefficients.data()),
                static_cast<int>(coefficients.size()) / kLaneActuators);
  }

  const LaneProblem& problem_;
  LaneParts<Real> parts_;
  integration::StructuralStateOf<Real> state_;
  Vector load_;
  Vector solved_;
  std::vector<Eigen::Array<Real, 2, 1>> motion_;
  Real measured_[kLaneActuators];
  Real actuator_force_[kLaneActuators];
  Real command_[kLaneActuators];
  Real last_drive_[kLaneActuators];
  Real drive_before_[kLaneActuators];
  const Real* interface_force_ = nullptr;
  Vector drive_;
  Vector force_;  // of the specimen
  std::vector<Real> row_;
  Mask left_{};
};

}  // namespace trestle::lanes
