#include "core/journal/ring_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/base/set_aside.h"
#include "core/journal/passing_error.h"

namespace trestle::journal {
namespace {

template <std::size_t kRoom>
void put_text(std::array<char, kRoom>& to, const std::string& text) {
  to.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), kRoom - 1), to.begin());
}

template <std::size_t kRoom>
std::string stored_text(const std::array<char, kRoom>& from) {
  return {from.begin(), std::find(from.begin(), from.end(), '\0')};
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kRingPage - 1) / kRingPage * kRingPage;
}

}  // namespace

std::string RingFile::boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

std::string RingFile::path_beside(const std::string& journal) {
  const bool suffixed = journal.ends_with(".db");
  return (suffixed ? journal.substr(0, journal.size() - 3) : journal) + ".ring";
}

RingFile::Status RingFile::find(const std::string& path, std::optional<RingFile>& into) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return Status::kAbsent;
    RingFile(path, -1).fail("be opened");
  }
  RingFile found(path, file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return Status::kLocked;
  const bool good = found.read_areas();
  into.emplace(std::move(found));
  return good ? Status::kRecoverable : Status::kStale;
}

RingFile::RingFile(std::string path, const std::string& session) : path_(std::move(path)) {
  make();
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw std::runtime_error(path_ + " is in use by another program; end that one first");
    const int code = ::posix_fallocate(file_, 0, kRingPage);
    if (code != 0) errno = code, fail("be made");
    map(0, kRingPage);
    RingHeader& head = header();
    put_text(head.boot, boot_id());
    put_text(head.session, session);
    head.magic = kRingMagic;
    end_ = kRingPage;
  } catch (...) {
    ::close(file_);
    throw;
  }
}

/// Makes the file, which must not be there.
void RingFile::make() {
  for (int attempt = 0; attempt < 2; ++attempt) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file_ >= 0) return;
    if (errno != EEXIST || !take_away_empty()) break;
  }
  fail("be made");
}

/// @returns false where it cannot be looked at
/// @throws std::runtime_error where it is not empty, or is in use
bool RingFile::take_away_empty() {
  const int found = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (found < 0) return errno == ENOENT;  // removed meanwhile
  struct stat status {};
  const bool locked = ::flock(found, LOCK_EX | LOCK_NB) != 0;
  const bool known = ::fstat(found, &status) == 0;
  const bool empty = known && status.st_size == 0;
  if (!locked && empty) ::unlink(path_.c_str());
  ::close(found);
  if (locked)
    throw std::runtime_error(path_ + " is in use by another program; end that one first");
  if (known && !empty)
    throw std::runtime_error(path_ +
                             ": was left by another program; see what it is, and "
                             "move it away");
  return known;
}

RingFile::RingFile(RingFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      end_(other.end_),
      maps_(std::exchange(other.maps_, {})),
      areas_(std::exchange(other.areas_, {})) {}

RingFile::~RingFile() {
  for (const std::span<std::byte> piece : maps_) ::munmap(piece.data(), piece.size());
  if (file_ >= 0) ::close(file_);
}

std::span<std::byte> RingFile::add(Kind kind, const std::string& name, std::size_t width,
                                   std::size_t room, std::size_t bytes) {
  const std::size_t length = whole_pages(bytes);
  const std::uint64_t count = header().areas.load(std::memory_order_relaxed);
  if (name.size() > kMaxRingName)
    throw std::runtime_error(path_ + ": the name of stream `" + name + "` has " +
                             std::to_string(name.size()) + " letters, at most " +
                             std::to_string(kMaxRingName) + " are possible");
  if (count == kMaxRingAreas)
    throw std::runtime_error(path_ + " has room for " + std::to_string(kMaxRingAreas) +
                             " streams and states, and one more was asked for");
  const int code =
      ::posix_fallocate(file_, static_cast<off_t>(end_), static_cast<off_t>(length));
  if (code != 0) errno = code, fail("grow");
  const std::span<std::byte> memory = map(end_, length).first(bytes);
  RingAreaEntry& entry = header().entries[count];
  entry = {kind, 0, width, room, end_, bytes, {}};
  put_text(entry.name, name);
  header().areas.store(count + 1, std::memory_order_release);
  areas_.push_back({kind, name, width, room, memory});
  end_ += length;
  return memory;
}

std::string RingFile::session() const {
  return stored_text(header().session);
}

void RingFile::remove() noexcept {
  ::unlink(path_.c_str());
}

void RingFile::set_aside() const {
  const std::filesystem::path path(path_);
  const std::string folder = path.parent_path().string();
  trestle::set_aside(folder.empty() ? "." : folder, {path.filename().string()});
}

/// Returns false if its header does not belong to the present boot of the system.
bool RingFile::read_areas() {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail("be read");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < kRingPage) return false;
  map(0, kRingPage);
  const RingHeader& head = header();
  if (head.magic != kRingMagic || stored_text(head.boot) != boot_id()) return false;
  const std::uint64_t count = head.areas.load(std::memory_order_acquire);
  if (count > kMaxRingAreas) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const RingAreaEntry& entry = head.entries[i];
    if (entry.offset % kRingPage != 0 || entry.offset > size ||
        entry.bytes > size - entry.offset || entry.bytes == 0)
      return false;
    areas_.push_back({entry.kind, stored_text(entry.name), entry.width, entry.room,
                      map(entry.offset, whole_pages(entry.bytes)).first(entry.bytes)});
  }
  return true;
}

/// Every page is touched, so that none is missing when it is needed.
std::span<std::byte> RingFile::map(std::size_t offset, std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_POPULATE, file_, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) fail("be mapped");
  const std::span<std::byte> mapped(static_cast<std::byte*>(memory), bytes);
  maps_.push_back(mapped);
  for (std::size_t at = 0; at < bytes; at += kRingPage) {
    auto& first = *reinterpret_cast<volatile unsigned char*>(mapped.data() + at);
    first = first;
  }
  return mapped;
}

void RingFile::fail(const std::string& doing) const {
  const int code = errno;
  const std::string advice =
      code == ENOSPC || code == EDQUOT
          ? "the disk is full; free space on it"
          : std::generic_category().message(code) +
                "; check that its folder exists, its permissions, and the disk";
  throw PassingError(path_ + ", which keeps what a killed process had recorded, cannot " +
                     doing + ": " + advice);
}

RingHeader& RingFile::header() const noexcept {
  return *reinterpret_cast<RingHeader*>(maps_.front().data());
}

}  // namespace trestle::journal
