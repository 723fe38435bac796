#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace trestle::testing {

struct KeyPair {
  std::string open_half;
  std::string secret;
};
KeyPair new_key_pair();

/// A DEALER that says of itself what it likes. Empty keys: it does not speak CURVE.
class RawPeer {
 public:
  RawPeer(const std::string& address, const std::string& id, const KeyPair& own,
          const std::string& server_key);
  ~RawPeer();
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  void send(const std::string& bytes) const;

 private:
  void* context_;
  void* socket_;
};

/// A TCP connection and nothing above it.
class RawConnection {
 public:
  /// @param endpoint  tcp://127.0.0.1:PORT
  explicit RawConnection(const std::string& endpoint);
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(const std::string& bytes) const;
  /// Takes what comes until there is something or the other end closes. @returns bytes
  std::size_t hear() const;

 private:
  int socket_;
};

/// Stands between a caller and an endpoint and keeps what the caller sends.
class Eavesdropper {
 public:
  explicit Eavesdropper(const std::string& endpoint);
  ~Eavesdropper();
  Eavesdropper(const Eavesdropper&) = delete;
  Eavesdropper& operator=(const Eavesdropper&) = delete;

  /// The address to call instead.
  const std::string& address() const noexcept { return address_; }
  /// Ends both connections. @returns what the caller sent, piece by piece
  std::vector<std::string> heard();

 private:
  void run();

  std::string endpoint_;
  std::string address_;
  int listener_ = -1;
  std::atomic<bool> over_{false};
  std::vector<std::string> pieces_;
  std::thread thread_;
};

}  // namespace trestle::testing
