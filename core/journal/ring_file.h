#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/journal/ring_layout.h"

namespace trestle::journal {

/// Memory that outlives the process: a file, mapped, that a journal's rings live in. The
/// next process finds the data of a killed one. It is invalid after a loss of power,
/// because it is unknown which pages reached the disk. It is therefore used only within one
/// boot of the system.
///
/// A process that has it open locks out all others until the process ends.
class RingFile {
 public:
  using Kind = RingAreaKind;

  struct Area {
    Kind kind{};
    std::string name;
    std::size_t width = 0;  ///< values per row
    std::size_t room = 0;   ///< rows, events, entries; values of a state
    std::span<std::byte> memory;
  };

  /// The state of the file at a path.
  enum class Status {
    kAbsent,
    kLocked,       ///< a living process has it open
    kStale,        ///< no ring file, or of an earlier start of the system
    kRecoverable,  ///< left by a dead process
  };

  /// `<name>.ring` beside `<name>.db`.
  static std::string path_beside(const std::string& journal);

  /// Looks, and where there is a leftover opens it into `into`.
  static Status find(const std::string& path, std::optional<RingFile>& into);

  /// Makes a new file. An empty one at the path, left by a process that was killed before
  /// it wrote, is replaced and never written: a reader may have mapped it.
  /// @throws std::runtime_error with one sentence where it cannot be made, or one stands
  ///         there already
  RingFile(std::string path, const std::string& session);

  RingFile(RingFile&& other) noexcept;
  RingFile& operator=(RingFile&&) = delete;
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;
  /// The file stays.
  ~RingFile();

  /// Reserves space on the disk and in memory, so that later writes never meet a full disk;
  /// all zero, and on a cache line.
  /// @throws std::runtime_error with one sentence
  std::span<std::byte> add(Kind kind, const std::string& name, std::size_t width,
                           std::size_t room, std::size_t bytes);

  const std::vector<Area>& areas() const noexcept { return areas_; }
  std::string session() const;

  /// All of it was brought into the journal: takes the file away; the memory stays until
  /// the end of this object.
  void remove() noexcept;

  /// Moves an unusable file into a numbered folder beside it.
  /// @throws std::runtime_error with one sentence
  void set_aside() const;

  /// Another one after each start of the system.
  static std::string boot_id();

 private:
  RingFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  void make();
  bool take_away_empty();
  bool read_areas();
  std::span<std::byte> map(std::size_t offset, std::size_t bytes);
  [[noreturn]] void fail(const std::string& doing) const;
  RingHeader& header() const noexcept;

  std::string path_;
  int file_ = -1;
  std::size_t end_ = 0;
  std::vector<std::span<std::byte>> maps_;  // the header's first
  std::vector<Area> areas_;
};

}  // namespace trestle::journal
