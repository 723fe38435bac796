#pragma once

#include <string>

#include "core/types/interface_layout.h"
#include "core/types/record.h"

namespace trestle::session {

/// The names of exported columns are a promise to everyone's scripts; they are made here.

/// `<site>.<name>`; an empty site is left out together with its dot.
std::string channel_prefix(const std::string& site, const std::string& name);
/// `<prefix>.<quantity>_m | _rad`: a displacement.
Channel motion_channel(const std::string& prefix, const char* quantity, DofKind kind);
/// `<prefix>.force_N | _Nm`.
Channel force_channel(const std::string& prefix, DofKind kind);

/// Text that gives the same double again: for facts of a record.
std::string format_exact(double value);

}  // namespace trestle::session
