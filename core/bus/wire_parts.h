#pragma once

#include <cstdint>
#include <vector>

#include "core/types/message.h"
#include "proto/session.pb.h"

namespace trestle {

/// The parts that session messages are made of: put() fills the wire's form of one, take()
/// reads it and returns false where it has more entries, larger numbers or other kinds than
/// this version knows. For session_codec alone.

template <typename Part>
using WireParts = google::protobuf::RepeatedPtrField<Part>;

std::uint64_t to_wire(std::chrono::nanoseconds time);
Duration from_wire(std::uint64_t time);
bool take(std::uint32_t from, int& to);

void put(const Version& from, wire::Version* to);
Version version(const wire::Version& from);

void put(const InterfaceLayout& from, WireParts<wire::InterfaceDof>* to);
bool take(const WireParts<wire::InterfaceDof>& from, InterfaceLayout& to);

void put(const RigLimits& from, WireParts<wire::ActuatorLimits>* to);
bool take(const WireParts<wire::ActuatorLimits>& from, RigLimits& to);

void put(const std::vector<ActuatorDescription>& from,
         WireParts<wire::ActuatorDescription>* to);
bool take(const WireParts<wire::ActuatorDescription>& from,
          std::vector<ActuatorDescription>& to);

void put(const Pace& from, wire::Pace* to);
bool take(const wire::Pace& from, Pace& to);

void put(const PaceAccount& from, wire::PaceAccount* to);
PaceAccount pace_account(const wire::PaceAccount& from);

void put(const Health& from, wire::Health* to);
bool take(const wire::Health& from, Health& to);

void put(const ExchangeStamps& from, wire::Exchange* to);
ExchangeStamps exchange_stamps(const wire::Exchange& from);

}  // namespace trestle
