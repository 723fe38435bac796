#include "core/record/closing_columns.h"

namespace trestle::record {

ClosingColumns::ClosingColumns(const std::string& site,
                               const std::vector<ActuatorDescription>& actuators) {
  values_.add<&ClosingRow::measured_at>(channels_.add({site + ".measured_at_ns", "ns"}));
  values_.add<&ClosingRow::ticks>(channels_.add({site + ".ticks", ""}));
  values_.add<&ClosingRow::estimated>(channels_.add({site + ".estimated", ""}));
  for (const ActuatorDescription& actuator : actuators) {
    const std::string prefix = site + "." + actuator.name;
    estimates_.add<&ClosingRow::delay>(channels_.add({prefix + ".delay_s", "s"}),
                                       actuators_);
    estimates_.add<&ClosingRow::amplitude>(channels_.add({prefix + ".amplitude", ""}),
                                           actuators_++);
  }
}

void ClosingColumns::pack(const ClosingRow& closing, std::span<double> row) const noexcept {
  values_.pack(closing, row);
  estimates_.pack(closing, row);
}

void ClosingColumns::unpack(std::span<const double> row,
                            ClosingRow& closing) const noexcept {
  values_.unpack(row, closing);
  const Eigen::Index estimates = closing.estimated ? actuators_ : 0;
  closing.delay.resize(estimates);
  closing.amplitude.resize(estimates);
  estimates_.unpack(row, closing);
}

}  // namespace trestle::record
