// The whole state of a ControlLoop, number by number.
#include "site-servers/node/control_loop.h"
#include "site-servers/safety/fault_snapshot.h"

namespace trestle {

void ControlLoop::save(SnapshotWriter& snapshot) const {
  compensator_->save(snapshot);
  controller_->save(snapshot);
  motion_->save(snapshot);
  feedforward_.save(snapshot);
  inertia_.save(snapshot);
  return_.save(snapshot);
  drive_return_.save(snapshot);
  gate_.save(snapshot);
  energy_.save(snapshot);
  record_.save(snapshot);
  for (const std::int64_t count : {step_, std::int64_t{summed_}, acted_,
                                   std::int64_t{sensed_at_.time_since_epoch().count()}})
    snapshot.add(static_cast<double>(count));
  safe_return_.save(snapshot);
  snapshot.add(static_cast<double>(ticks_to_safe_action_));
  for (const bool flag :
       {opened(), fresh_, sound_, safe_begun_, resting_, any_given_, activated_})
    snapshot.add(flag ? 1.0 : 0.0);
  for (const ActuatorVector* values :
       {&sensed_.displacement, &sensed_.force, &stroke_, &command_, &given_.stroke,
        &given_.command, &given_.drive, &given_.measured})
    snapshot.add(*values);
  snapshot.add(sensed_.reaction);
  snapshot.add(sum_.displacement);
  snapshot.add(sum_.force);
  snapshot.add(sum_.reaction);
  trestle::save(fault_, snapshot);
}

void ControlLoop::restore(SnapshotReader& snapshot) {
  compensator_->restore(snapshot);
  controller_->restore(snapshot);
  motion_->restore(snapshot);
  feedforward_.restore(snapshot);
  inertia_.restore(snapshot);
  return_.restore(snapshot);
  drive_return_.restore(snapshot);
  gate_.restore(snapshot);
  energy_.restore(snapshot);
  record_.restore(snapshot);
  step_ = static_cast<std::int64_t>(snapshot.next());
  summed_ = static_cast<int>(snapshot.next());
  acted_ = static_cast<std::int64_t>(snapshot.next());
  sensed_at_ = TimePoint(Duration(static_cast<Duration::rep>(snapshot.next())));
  safe_return_.restore(snapshot);
  ticks_to_safe_action_ = static_cast<int>(snapshot.next());
  opened_ = snapshot.next() != 0.0;
  for (bool* flag : {&fresh_, &sound_, &safe_begun_, &resting_, &any_given_, &activated_})
    *flag = snapshot.next() != 0.0;
  for (ActuatorVector* values :
       {&sensed_.displacement, &sensed_.force, &stroke_, &command_, &given_.stroke,
        &given_.command, &given_.drive, &given_.measured})
    snapshot.fill(*values);
  snapshot.fill(sensed_.reaction);
  snapshot.fill(sum_.displacement);
  snapshot.fill(sum_.force);
  snapshot.fill(sum_.reaction);
  trestle::restore(fault_, snapshot);
  ramp_.cancel();
}

}  // namespace trestle
