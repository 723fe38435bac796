#pragma once

namespace trestle::host {

/// Keeps the memory that the process frees, in place of giving it back to the kernel: for
/// thousands of equal runs, each of which needs the memory of the one before.
/// Thread: any, before those that allocate.
void keep_freed_memory() noexcept;

}  // namespace trestle::host
