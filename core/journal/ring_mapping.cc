#include "core/journal/ring_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"

namespace trestle::journal {
namespace {

// More than any stream has; keeps the products below from overflowing.
constexpr std::uint64_t kMaxWidth = 1 << 20;

template <std::size_t kRoom>
std::string fixed_text(const std::array<char, kRoom>& from) {
  return {from.begin(), std::find(from.begin(), from.end(), '\0')};
}

}  // namespace

std::optional<RingMapping> RingMapping::open(const std::string& path) {
  RingMapping mapping(path, FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  if (!mapping.file_) {
    if (errno == ENOENT) return std::nullopt;
    mapping.fail(std::generic_category().message(errno));
  }
  if (!mapping.map_header()) return std::nullopt;
  mapping.add_streams();
  return mapping;
}

RingMapping::RingMapping(RingMapping&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      device_(other.device_),
      inode_(other.inode_),
      maps_(std::exchange(other.maps_, {})),
      areas_seen_(other.areas_seen_),
      streams_(std::exchange(other.streams_, {})) {}

RingMapping& RingMapping::operator=(RingMapping&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  std::swap(maps_, other.maps_);
  std::swap(areas_seen_, other.areas_seen_);
  std::swap(streams_, other.streams_);
  return *this;
}

RingMapping::~RingMapping() {
  for (const std::span<const std::byte> piece : maps_)
    ::munmap(const_cast<std::byte*>(piece.data()), piece.size());
}

/// @returns false while the process that makes the file has not written its header
bool RingMapping::map_header() {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail(std::generic_category().message(errno));
  device_ = status.st_dev;
  inode_ = status.st_ino;
  if (status.st_size < static_cast<off_t>(kRingPage)) {
    if (status.st_size == 0) return false;
    fail("it has " + std::to_string(status.st_size) + " bytes, and its header needs " +
         std::to_string(kRingPage));
  }
  map(0, kRingPage);
  const std::array<char, 8> magic = header().magic;
  if (magic == std::array<char, 8>{}) return false;
  if (magic != kRingMagic) fail("it is another program's file");
  if (fixed_text(header().boot) != RingFile::boot_id())
    fail("it was written before the last start of the system");
  return true;
}

void RingMapping::add_streams() {
  const std::uint64_t count = header().areas.load(std::memory_order_acquire);
  if (count == areas_seen_) return;
  if (count > kMaxRingAreas) fail("its header is damaged");
  const std::uint64_t bytes = size();
  for (; areas_seen_ < count; ++areas_seen_)
    if (header().entries[areas_seen_].kind == RingAreaKind::kRows)
      add_stream(header().entries[areas_seen_], bytes);
}

void RingMapping::add_stream(const RingAreaEntry& entry, std::uint64_t size) {
  if (entry.offset % kRingPage != 0 || entry.offset > size ||
      entry.bytes > size - entry.offset || entry.bytes < QueueMemory::bytes(0) ||
      entry.width > kMaxWidth || entry.room == 0 ||
      entry.room > (entry.bytes - QueueMemory::bytes(0)) / row_bytes(entry.width))
    fail("its header is damaged, or its end is missing");
  const std::span<const std::byte> memory = map(entry.offset, entry.bytes);
  streams_.push_back({fixed_text(entry.name), entry.width, entry.room,
                      reinterpret_cast<const RingCounters*>(memory.data()),
                      memory.subspan(QueueMemory::bytes(0))});
}

std::string RingMapping::session() const {
  return fixed_text(header().session);
}

bool RingMapping::is_at(const std::string& path) const noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

std::span<const std::byte> RingMapping::map(std::uint64_t offset, std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_.number(),
                              static_cast<off_t>(offset));
  if (memory == MAP_FAILED) fail(std::generic_category().message(errno));
  maps_.emplace_back(static_cast<const std::byte*>(memory), bytes);
  return maps_.back();
}

std::uint64_t RingMapping::size() const {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail(std::generic_category().message(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

void RingMapping::fail(const std::string& why) const {
  throw std::runtime_error(path_ + " cannot be followed: " + why);
}

const RingHeader& RingMapping::header() const noexcept {
  return *reinterpret_cast<const RingHeader*>(maps_.front().data());
}

}  // namespace trestle::journal
