#include "core/bus/going_on_codec.h"

#include "core/base/legible_text.h"
#include "core/bus/session_codec.h"
#include "core/bus/wire_conversion.h"

namespace trestle::bus {

bool write(const RecordRequest& from, wire::Envelope& envelope) {
  write_session_id(from.session, envelope.mutable_fetch()->mutable_session());
  envelope.mutable_fetch()->set_offset(from.offset);
  return true;
}

std::string read(const wire::RecordRequest& from, RecordRequest& to) {
  to.offset = from.offset();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const RecordChunk& from, wire::Envelope& envelope) {
  wire::RecordChunk& to = *envelope.mutable_chunk();
  write_session_id(from.session, to.mutable_session());
  to.set_offset(from.offset);
  to.set_total(from.total);
  to.set_content(from.content);
  to.set_problem(legible(from.problem));
  return true;
}

std::string read(const wire::RecordChunk& from, RecordChunk& to) {
  to.offset = from.offset();
  to.total = from.total();
  to.content = from.content();
  to.problem = from.problem();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Resume& from, wire::Envelope& envelope) {
  wire::Resume& to = *envelope.mutable_resume();
  write_session_id(from.session, to.mutable_session());
  to.set_next_step(from.next_step);
  to.set_at_ns(to_wire(from.at.time_since_epoch()));
  to.set_contract_hash(from.contract_hash);
  to.set_by(legible(from.by));
  to.set_hold(from.hold);
  return true;
}

std::string read(const wire::Resume& from, Resume& to) {
  to.next_step = from.next_step();
  to.at = TimePoint{from_wire(from.at_ns())};
  to.contract_hash = from.contract_hash();
  to.by = from.by();
  to.hold = from.hold();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Resumed& from, wire::Envelope& envelope) {
  wire::Resumed& to = *envelope.mutable_resumed();
  write_session_id(from.session, to.mutable_session());
  to.set_last_step(from.last_step);
  return true;
}

std::string read(const wire::Resumed& from, Resumed& to) {
  to.last_step = from.last_step();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const StatusRequest& from, wire::Envelope& envelope) {
  envelope.mutable_ask()->set_what(legible(from.what));
  return true;
}

std::string read(const wire::StatusRequest& from, StatusRequest& to) {
  to.what = from.what();
  return {};
}

bool write(const StatusReply& from, wire::Envelope& envelope) {
  envelope.mutable_tell()->set_json(legible(from.json));
  return true;
}

std::string read(const wire::StatusReply& from, StatusReply& to) {
  to.json = from.json();
  return {};
}

}  // namespace trestle::bus
