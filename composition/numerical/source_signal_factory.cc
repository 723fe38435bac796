#include "composition/numerical/source_signal_factory.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/setting_error.h"
#include "numerical/excitation/ground_motion.h"
#include "numerical/excitation/source_signal.h"
#include "proto/config/excitation.pb.h"

namespace trestle::composition {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

struct Amplitude {
  excitation::SourceQuantity quantity;
  double value;
};

template <typename Message>
Amplitude amplitude_of(const Message& message, const std::string& path) {
  const int given = (message.has_displacement() ? 1 : 0) +
                    (message.has_velocity() ? 1 : 0) + (message.has_force() ? 1 : 0);
  if (given != 1)
    throw SettingError(path, std::to_string(given) +
                                 " amplitudes are given; give exactly one of displacement, "
                                 "velocity and force");
  if (message.has_displacement())
    return {excitation::SourceQuantity::kDisplacement, message.displacement()};
  if (message.has_velocity())
    return {excitation::SourceQuantity::kVelocity, message.velocity()};
  return {excitation::SourceQuantity::kForce, message.force()};
}

excitation::SourceSignal make_sine(const config::SineInput& sine, const std::string& path) {
  const auto [quantity, amplitude] = amplitude_of(sine, path);
  const double omega = kTurn * sine.frequency();
  const double phase = sine.phase();
  return {{},
          quantity,
          [=, a = amplitude](double t) { return a * std::sin(omega * t + phase); },
          0.0};
}

excitation::SourceSignal make_sweep(const config::SweepInput& sweep,
                                    const std::string& path) {
  const auto [quantity, amplitude] = amplitude_of(sweep, path);
  const double from = sweep.from();
  const double to = sweep.to();
  const double T = sweep.duration();
  return {{},
          quantity,
          [=, a = amplitude](double t) {
            const double turns = t <= T ? from * t + (to - from) * t * t / (2.0 * T)
                                        : 0.5 * (from + to) * T + to * (t - T);
            return a * std::sin(kTurn * turns);
          },
          T};
}

excitation::SourceSignal make_recorded(const config::RecordedInput& record,
                                       const std::string& path) {
  excitation::SourceQuantity quantity = excitation::SourceQuantity::kDisplacement;
  const char* unit = "m";
  if (record.quantity() == config::SOURCE_QUANTITY_VELOCITY) {
    quantity = excitation::SourceQuantity::kVelocity;
    unit = "m/s";
  } else if (record.quantity() == config::SOURCE_QUANTITY_FORCE) {
    quantity = excitation::SourceQuantity::kForce;
    unit = "n";
  }
  excitation::GroundMotion motion =
      excitation::read_plain_columns(record.file(), unit, path + ".file");
  const double duration = motion.duration();
  return {{},
          quantity,
          [motion = std::move(motion)](double t) {
            const auto& times = motion.time;
            const auto& values = motion.acceleration;
            if (t <= times.front()) return values.front();
            if (t >= times.back()) return values.back();
            const auto after = static_cast<std::size_t>(
                std::upper_bound(times.begin(), times.end(), t) - times.begin());
            const double part = (t - times[after - 1]) / (times[after] - times[after - 1]);
            return values[after - 1] + part * (values[after] - values[after - 1]);
          },
          duration};
}

excitation::SourceSignal make_plain(const config::SourceInput& input,
                                    const std::string& path) {
  switch (input.signal_case()) {
    case config::SourceInput::kSine:
      return make_sine(input.sine(), path + ".sine");
    case config::SourceInput::kSweep:
      return make_sweep(input.sweep(), path + ".sweep");
    case config::SourceInput::kRecord:
      return make_recorded(input.record(), path + ".record");
    case config::SourceInput::SIGNAL_NOT_SET:
      break;
  }
  throw SettingError(path, "source `" + input.source() +
                               "` gives nothing; give it a sine, a sweep or a record, or "
                               "leave it out: then it stands still");
}

}  // namespace

excitation::SourceSignal make_source_signal(const config::SourceInput& input,
                                            const std::string& path) {
  excitation::SourceSignal signal = make_plain(input, path);
  signal.source = input.source();
  const double scale = input.has_scale() ? input.scale() : 1.0;
  const double ramp = input.ramp();
  signal.at = [plain = std::move(signal.at), scale, ramp](double t) {
    const double s = ramp > 0.0 ? std::clamp(t / ramp, 0.0, 1.0) : 1.0;
    return scale * s * s * (3.0 - 2.0 * s) * plain(t);
  };
  return signal;
}

}  // namespace trestle::composition
