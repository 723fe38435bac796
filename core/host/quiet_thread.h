#pragma once

#include <functional>
#include <thread>

namespace trestle::host {

/// Starts a thread that gets no signals but those of a crash: the others are for the
/// threads that act on them.
std::thread quiet_thread(std::function<void()> run);

}  // namespace trestle::host
