#include "studies/rehearsal/simulated_process.h"

#include <utility>

namespace trestle::rehearsal {

bool SiteEnd::send(int /*peer*/, const StepCommand& message) noexcept {
  return !life_.call() || network_.send(site_, FaultyNetwork::kToIntegrator, message);
}

bool SiteEnd::send(int /*peer*/, const StepResponse& message) noexcept {
  if (!life_.call()) return true;
  book_.answered(message);
  return network_.send(site_, FaultyNetwork::kToIntegrator, message);
}

bool SiteEnd::send(int /*peer*/, const SessionMessage& message) {
  return !life_.call() || network_.send(site_, FaultyNetwork::kToIntegrator, message);
}

bool SiteEnd::receive(ReceivedMessage& into) {
  if (!life_.alive() || !network_.receive(site_, FaultyNetwork::kToSite, into))
    return false;
  if (!life_.call()) return false;
  into.peer = 0;
  if (into.kind == ReceivedMessage::Kind::kStepCommand &&
      into.command.session == rehearsal_session())
    watch_.heard(lab_.now());
  if (into.kind == ReceivedMessage::Kind::kSession) hear(into.session);
  return true;
}

void SiteEnd::hear(const SessionMessage& message) {
  watch_.heard(lab_.now());
  if (const auto* asked = std::get_if<Configure>(&message); asked && asked->resume)
    watch_.continue_test();
  if (std::holds_alternative<Start>(message) || std::holds_alternative<Resume>(message))
    watch_.follow();
  else if (std::holds_alternative<Arm>(message))
    watch_.be_armed();
  else if (std::holds_alternative<Halt>(message))
    watch_.stop_motion();
  else if (std::holds_alternative<Stop>(message))
    watch_.ramp();
}

bool IntegratorEnd::send(int peer, const StepCommand& message) noexcept {
  if (!life_.call()) return true;
  books_[static_cast<std::size_t>(peer)].asked(message);
  return network_.send(peer, FaultyNetwork::kToSite, message);
}

bool IntegratorEnd::send(int peer, const StepResponse& message) noexcept {
  return !life_.call() || network_.send(peer, FaultyNetwork::kToSite, message);
}

bool IntegratorEnd::send(int peer, const SessionMessage& message) {
  return !life_.call() || network_.send(peer, FaultyNetwork::kToSite, message);
}

bool IntegratorEnd::receive(ReceivedMessage& into) {
  if (!life_.alive()) return false;
  const int sites = static_cast<int>(books_.size());
  for (int tried = 0; tried < sites; ++tried) {
    const int peer = next_;
    next_ = (next_ + 1) % sites;
    if (!network_.receive(peer, FaultyNetwork::kToIntegrator, into)) continue;
    into.peer = peer;
    return life_.call();
  }
  return false;
}

SimulatedSiteProcess::SimulatedSiteProcess(const ProcessHost& host,
                                           site_node::SiteSettings settings, int site,
                                           MonitoredRig& watched, ExchangeLog& book)
    : life(host.calls),
      clock(host.lab),
      record(host.disk, &life),
      rig(watched, life),
      end(host, site, life, watched.watch(), book),
      node(std::move(settings), rig, end, {record.recording()}, clock) {}

SimulatedIntegratorProcess::SimulatedIntegratorProcess(
    const ProcessHost& host, const integrator_node::IntegratorSettings& settings,
    NumericalSubstructure& substructure, std::vector<ExchangeLog>& books)
    : life(host.calls),
      clock(host.lab),
      record(host.disk, &life),
      end(host.network, life, books),
      node(settings, substructure, end, record.recording(), clock) {}

}  // namespace trestle::rehearsal
