#include "core/bus/curve_key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/base/lasting_file.h"

namespace trestle::bus {
namespace {

constexpr std::size_t kKeyCharacters = 40;
constexpr std::size_t kLongestFile = 1024;  // [bytes]
constexpr std::string_view kSecretHead = "trestle secret key of ";
constexpr std::string_view kZ85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error(path + ": " + why);
}

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

void check_name(const std::string& name) {
  const auto fit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '-' || c == '_';
  };
  if (name.empty() || name.size() > 64 || name.front() == '.' || name.front() == '-' ||
      !std::ranges::all_of(name, fit))
    throw std::runtime_error("`" + name +
                             "` is no name for a key; take 1 to 64 letters, digits, "
                             "dots, dashes and underscores, a letter or digit first");
}

/// Checks the owner and the permissions of the file.
void check_standing(const std::string& path, int file) {
  struct stat facts {};
  if (fstat(file, &facts) != 0) refuse(path, std::generic_category().message(errno));
  if (!S_ISREG(facts.st_mode)) refuse(path, "is not a plain file, so no secret key");
  if (facts.st_uid != geteuid())
    refuse(
        path,
        "belongs to another user; a secret key belongs to whoever runs trestle: make one "
        "with `trestle keygen`");
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) == 0) return;
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o",
                static_cast<unsigned>(facts.st_mode & 07777));
  refuse(path, std::string("has mode ") + mode.data() +
                   ", so others may reach this secret key; chmod 600 " + path +
                   ", and make a new pair if anybody has read it");
}

}  // namespace

bool is_curve_key(std::string_view text) noexcept {
  if (text.size() != kKeyCharacters) return false;
  if (text.find_first_not_of(kZ85) != std::string_view::npos) return false;
  for (std::size_t group = 0; group < kKeyCharacters; group += 5) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 5; ++i) value = value * 85 + kZ85.find(text[group + i]);
    if (value > UINT32_MAX) return false;
  }
  return true;
}

std::string public_key_of(const std::string& secret) {
  std::array<char, kKeyCharacters + 1> text{};
  if (zmq_curve_public(text.data(), secret.c_str()) != 0)
    throw std::runtime_error("this ZeroMQ was built without CURVE");
  return text.data();
}

std::string make_key_files(const std::string& name, const std::string& folder) {
  check_name(name);
  const std::filesystem::path place = folder.empty() ? "." : folder;
  const std::string secret_file = (place / (name + ".key")).string();
  const std::string public_file = (place / (name + ".pub")).string();
  for (const std::string& file : {secret_file, public_file})
    if (std::filesystem::exists(std::filesystem::symlink_status(file)))
      refuse(file, "exists; a key is never overwritten, so move it away first");
  make_folders(place.string());
  std::array<char, kKeyCharacters + 1> open_half{};
  std::array<char, kKeyCharacters + 1> secret_half{};
  if (zmq_curve_keypair(open_half.data(), secret_half.data()) != 0)
    throw std::runtime_error("this ZeroMQ was built without CURVE");
  // The public half first: without the secret one it cannot be mistaken for a pair.
  keep_new_file(public_file,
                "trestle public key of " + name + "\n" + open_half.data() + "\n");
  keep_new_file(secret_file,
                std::string(kSecretHead) + name + "; stays on its machine, mode 0600\n" +
                    secret_half.data() + "\n",
                0600);
  return open_half.data();
}

std::string read_secret_key(const std::string& path) {
  // A pipe in its place must not block.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0)
    refuse(path, "cannot be read: " + std::generic_category().message(errno) +
                     "; `trestle keygen` makes a key");
  check_standing(path, file.number());
  std::string text(kLongestFile + 1, '\0');
  const ssize_t size = read(file.number(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t line = text.find('\n');
  std::string key = line == std::string::npos ? "" : text.substr(line + 1);
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  const bool secret = text.starts_with(kSecretHead);
  if (text.starts_with("trestle public key of "))
    refuse(path, "is a public key; the secret one stands in the .key file");
  if (text.size() > kLongestFile || !secret || !is_curve_key(key))
    refuse(path,
           "is no secret key of trestle: it has one line that says so and one of 40 "
           "characters; make one with `trestle keygen`");
  return key;
}

}  // namespace trestle::bus
