#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/journal/queue_memory.h"
#include "core/journal/ring_layout.h"

namespace trestle::journal {

/// A ring file, mapped for reading only. Checks every number of the header before it is
/// used. Takes no lock.
class RingMapping {
 public:
  /// The rows of one stream.
  struct Stream {
    std::string name;
    std::size_t channels = 0;  ///< values per row
    std::uint64_t room = 0;    ///< rows
    const RingCounters* counters = nullptr;
    std::span<const std::byte> rows;
  };

  /// Maps the file at the path. @throws std::runtime_error with one sentence if that fails,
  /// or if the file is not a ring file of this start of the system
  /// @returns nothing if no file is at the path, or its header is not written yet
  static std::optional<RingMapping> open(const std::string& path);

  RingMapping(RingMapping&& other) noexcept;
  RingMapping& operator=(RingMapping&& other) noexcept;
  RingMapping(const RingMapping&) = delete;
  RingMapping& operator=(const RingMapping&) = delete;
  ~RingMapping();

  /// Maps the streams that were added since the last call.
  /// @throws std::runtime_error with one sentence if the header is damaged
  void add_streams();

  const std::vector<Stream>& streams() const noexcept { return streams_; }
  std::string session() const;
  /// Returns true if the file at the path is the mapped one.
  bool is_at(const std::string& path) const noexcept;

 private:
  RingMapping(std::string path, FileDescriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}
  bool map_header();
  void add_stream(const RingAreaEntry& entry, std::uint64_t size);
  std::span<const std::byte> map(std::uint64_t offset, std::size_t bytes);
  std::uint64_t size() const;
  [[noreturn]] void fail(const std::string& why) const;
  const RingHeader& header() const noexcept;

  std::string path_;
  FileDescriptor file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::vector<std::span<const std::byte>> maps_;  // the header's first
  std::uint64_t areas_seen_ = 0;
  std::vector<Stream> streams_;
};

}  // namespace trestle::journal
