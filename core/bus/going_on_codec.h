#pragma once

#include <string>

#include "core/types/message.h"
#include "proto/wire/session.pb.h"

namespace trestle::bus {

/// Encodes and decodes the messages that resume a session, and those about records and its
/// state. write() fills the envelope; read() returns the error, or nothing.

bool write(const Resume& from, wire::Envelope& envelope);
bool write(const Resumed& from, wire::Envelope& envelope);
bool write(const RecordRequest& from, wire::Envelope& envelope);
bool write(const RecordChunk& from, wire::Envelope& envelope);
bool write(const StatusRequest& from, wire::Envelope& envelope);
bool write(const StatusReply& from, wire::Envelope& envelope);

std::string read(const wire::Resume& from, Resume& to);
std::string read(const wire::Resumed& from, Resumed& to);
std::string read(const wire::RecordRequest& from, RecordRequest& to);
std::string read(const wire::RecordChunk& from, RecordChunk& to);
std::string read(const wire::StatusRequest& from, StatusRequest& to);
std::string read(const wire::StatusReply& from, StatusReply& to);

}  // namespace trestle::bus
