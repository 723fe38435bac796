#pragma once

#include <string>

#include "core/types/message.h"
#include "proto/session.pb.h"

namespace trestle {

/// Both ways between wire and structs, of the words with which a session goes on, and of
/// those about records and standing. write() fills the envelope; read() says what is wrong,
/// or nothing.

bool write(const Resume& from, wire::Envelope& envelope);
bool write(const Resumed& from, wire::Envelope& envelope);
bool write(const Fetch& from, wire::Envelope& envelope);
bool write(const Chunk& from, wire::Envelope& envelope);
bool write(const Ask& from, wire::Envelope& envelope);
bool write(const Tell& from, wire::Envelope& envelope);

std::string read(const wire::Resume& from, Resume& to);
std::string read(const wire::Resumed& from, Resumed& to);
std::string read(const wire::Fetch& from, Fetch& to);
std::string read(const wire::Chunk& from, Chunk& to);
std::string read(const wire::Ask& from, Ask& to);
std::string read(const wire::Tell& from, Tell& to);

}  // namespace trestle
