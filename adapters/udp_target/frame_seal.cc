#include "adapters/udp_target/frame_seal.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace trestle::udp_target {
namespace {

constexpr std::size_t kMostKeyFile = 256;

[[noreturn]] void refuse_key(const std::string& path, const std::string& why) {
  throw std::runtime_error("key: the file " + path + " " + why);
}

}  // namespace

FrameSeal::Hash FrameSeal::hash_of(std::span<const std::uint8_t> frame,
                                   Sender sender) const noexcept {
  Hash hash{};
  crypto_generichash_state state;
  const auto who = static_cast<std::uint8_t>(sender);
  crypto_generichash_init(&state, key_.data(), key_.size(), hash.size());
  crypto_generichash_update(&state, &who, 1);
  crypto_generichash_update(&state, frame.data(), frame.size());
  crypto_generichash_final(&state, hash.data(), hash.size());
  return hash;
}

void FrameSeal::seal(std::span<std::uint8_t> sealed, Sender sender) const noexcept {
  if (!on_) return;
  const Hash hash = hash_of(sealed.first(sealed.size() - kHashBytes), sender);
  std::copy(hash.begin(), hash.end(), sealed.last(kHashBytes).begin());
}

bool FrameSeal::genuine(std::span<const std::uint8_t> sealed,
                        Sender sender) const noexcept {
  if (!on_) return true;
  const Hash hash = hash_of(sealed.first(sealed.size() - kHashBytes), sender);
  return sodium_memcmp(hash.data(), sealed.last(kHashBytes).data(), kHashBytes) == 0;
}

FrameSeal::Key read_frame_key(const std::string& path) {
  if (sodium_init() < 0) throw std::runtime_error("key: libsodium does not start");
  // A pipe in its place must not block.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    refuse_key(path, "cannot be read: " + std::generic_category().message(errno));
  struct stat facts {};
  const bool plain = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  std::string text(kMostKeyFile, '\0');
  const ssize_t size = plain ? read(file, text.data(), text.size()) : 0;
  close(file);
  if (!plain) refuse_key(path, "is no plain file");
  if (facts.st_uid != geteuid() || (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    refuse_key(
        path,
        "can be reached by others, so it is no secret; it must belong to the user who "
        "runs this,  with mode 0600");
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  FrameSeal::Key key{};
  std::size_t bytes = 0;
  const char* end = nullptr;
  if (text.size() != 2 * key.size() ||
      sodium_hex2bin(key.data(), key.size(), text.data(), text.size(), nullptr, &bytes,
                     &end) != 0 ||
      bytes != key.size())
    refuse_key(path,
               "must be one line of 64 hexadecimal digits; `openssl rand -hex 32` makes "
               "them");
  return key;
}

}  // namespace trestle::udp_target
