#pragma once

#include <cstdint>
#include <vector>

#include "core/types/message.h"
#include "proto/wire/session.pb.h"

namespace trestle::bus {

/// The parts that session messages are made of: put() fills the wire's form of one, take()
/// reads it and returns false if it has more entries, larger numbers or other kinds than
/// this version knows. For session_codec alone.

template <typename Part>
using WireList = google::protobuf::RepeatedPtrField<Part>;

std::uint64_t to_wire(std::chrono::nanoseconds time);
Duration from_wire(std::uint64_t time);
bool take(std::uint32_t from, int& to);

void put(const Version& from, wire::Version* to);
Version version(const wire::Version& from);

void put(const InterfaceLayout& from, WireList<wire::InterfaceDof>* to);
bool take(const WireList<wire::InterfaceDof>& from, InterfaceLayout& to);

void put(const RigLimits& from, WireList<wire::ActuatorLimits>* to);
bool take(const WireList<wire::ActuatorLimits>& from, RigLimits& to);

void put(const std::vector<ActuatorDescription>& from,
         WireList<wire::ActuatorDescription>* to);
bool take(const WireList<wire::ActuatorDescription>& from,
          std::vector<ActuatorDescription>& to);

void put(const Channels& from, WireList<wire::AuxiliaryChannel>* to);
bool take(const WireList<wire::AuxiliaryChannel>& from, Channels& to);

void put(const std::vector<RequiredItem>& from, WireList<wire::ChecklistItem>* to);
bool take(const WireList<wire::ChecklistItem>& from, std::vector<RequiredItem>& to);

bool take(const google::protobuf::RepeatedField<double>& from, std::vector<double>& to);

void put(const PacingSettings& from, wire::Pace* to);
bool take(const wire::Pace& from, PacingSettings& to);

void put(const TimingStatistics& from, wire::PaceAccount* to);
TimingStatistics pace_account(const wire::PaceAccount& from);

void put(const Health& from, wire::Health* to);
bool take(const wire::Health& from, Health& to);

void put(const SyncTimestamps& from, wire::SyncTimestamps* to);
SyncTimestamps exchange_stamps(const wire::SyncTimestamps& from);

}  // namespace trestle::bus
