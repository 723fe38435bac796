#pragma once

#include <vector>

#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/node/site_node.h"
#include "studies/rehearsal/exchange_log.h"
#include "studies/rehearsal/faulty_network.h"
#include "studies/rehearsal/memory_recorder.h"
#include "studies/rehearsal/monitored_rig.h"
#include "studies/rehearsal/process_lifetime.h"

namespace trestle::rehearsal {

/// The session of every scenario: any id, except the one that means none.
inline SessionId rehearsal_session() noexcept {
  SessionId session{};
  session.fill(0x5a);
  return session;
}

/// The clock of one process: it begins with it.
class ProcessClock final : public Clock {
 public:
  explicit ProcessClock(const Clock& lab) : lab_(lab), born_(lab.now()) {}
  TimePoint now() const noexcept override { return TimePoint{lab_.now() - born_}; }
  void advance_to(TimePoint /*until*/) noexcept override {}  // the lab's clock does
  /// A time of this clock on the lab's.
  TimePoint on_lab(TimePoint time) const noexcept {
    return time > TimePoint::max() - born_.time_since_epoch()
               ? TimePoint::max()
               : time + born_.time_since_epoch();
  }

 private:
  const Clock& lab_;
  TimePoint born_;
};

/// A site's end of the bus in one process of its node.
class SiteEnd final : public Transport {
 public:
  SiteEnd(FaultyNetwork& network, int site, ProcessLifetime& life, const Clock& lab,
          RigMonitor& watch, ExchangeLog& book)
      : network_(network),
        site_(site),
        life_(life),
        lab_(lab),
        watch_(watch),
        book_(book) {}

  bool send(int peer, const StepCommand& message) noexcept override;
  bool send(int peer, const StepResponse& message) noexcept override;
  bool send(int peer, const SessionMessage& message) override;
  bool receive(ReceivedMessage& into) override;
  void lock_peer(bool /*keep*/) noexcept override {}
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  void hear(const SessionMessage& message);

  FaultyNetwork& network_;
  int site_;
  ProcessLifetime& life_;
  const Clock& lab_;
  RigMonitor& watch_;
  ExchangeLog& book_;
};

/// The integrator's end of the bus in one process of its node.
class IntegratorEnd final : public Transport {
 public:
  IntegratorEnd(FaultyNetwork& network, ProcessLifetime& life,
                std::vector<ExchangeLog>& books)
      : network_(network), life_(life), books_(books) {}

  bool send(int peer, const StepCommand& message) noexcept override;
  bool send(int peer, const StepResponse& message) noexcept override;
  bool send(int peer, const SessionMessage& message) override;
  bool receive(ReceivedMessage& into) override;
  void lock_peer(bool /*keep*/) noexcept override {}
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  FaultyNetwork& network_;
  ProcessLifetime& life_;
  std::vector<ExchangeLog>& books_;
  int next_ = 0;
};

/// One process of a site. Destroyed when the scenario is over, long after the node was
/// killed: the actions of its destructors have no effect.
struct SimulatedSiteProcess {
  SimulatedSiteProcess(CallCount& calls, const Clock& lab, site_node::SiteSettings settings,
                       int site, FaultyNetwork& network, MonitoredRig& watched,
                       ExchangeLog& book, SimulatedDisk& disk);

  ProcessLifetime life;
  ProcessClock clock;
  MemoryRecorder record;
  RigEndpoint rig;
  SiteEnd end;
  site_node::SiteNode node;
};

/// One process of the integrator. @see SimulatedSiteProcess
struct SimulatedIntegratorProcess {
  SimulatedIntegratorProcess(CallCount& calls, const Clock& lab,
                             const integrator_node::IntegratorSettings& settings,
                             NumericalSubstructure& substructure, FaultyNetwork& network,
                             std::vector<ExchangeLog>& books, SimulatedDisk& disk);

  ProcessLifetime life;
  ProcessClock clock;
  MemoryRecorder record;
  IntegratorEnd end;
  integrator_node::IntegratorNode node;
};

}  // namespace trestle::rehearsal
