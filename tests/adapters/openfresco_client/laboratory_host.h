#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace trestle::openfresco {

/// An OpenFresco server with springs of 2.8, by the documented protocol. It runs on a
/// separate thread and serves one client after the other.
class LaboratoryHost {
 public:
  enum class Kind { kElement, kSite, kLab };
  enum class Trouble {
    kNone,
    kClosesAtOnce,   ///< after the sizes
    kClosesOnTrial,  ///< with the third one
    kSaysNaN,        ///< from the third trial on
    kSaysNothing,    ///< from the third trial on
    kSaysMore,       ///< datagrams of other lengths before each answer
    kOtherVersion,   ///< of a laboratory server
  };
  struct Settings {
    Kind kind = Kind::kSite;
    bool datagrams = false;
    bool greets = false;
    Trouble trouble = Trouble::kNone;
    int slow_ms = 0;               ///< time of a move
    bool keeps_its_place = false;  ///< from one connection to the next
  };

  explicit LaboratoryHost(const Settings& settings);
  ~LaboratoryHost();

  const std::string& address() const { return address_; }
  /// The codes that came, in order.
  std::vector<int> codes() const;
  /// Displacements of the trials, in order.
  std::vector<double> trials() const;
  /// The last message of code 99, whole; empty: none came.
  std::vector<double> farewell() const;

 private:
  void serve();
  bool serve_one(int socket);
  bool hand_shake(int socket);
  bool answer(int socket, const std::vector<double>& message);
  bool read_all(int socket, void* into, std::size_t bytes);
  bool reply(int socket, std::vector<double> values);

  Settings settings_;
  int listener_ = -1;
  std::string address_;
  std::atomic<bool> stop_{false};
  std::size_t data_ = 256;
  int sizes_[10] = {};
  std::vector<double> at_;
  double time_ = 0.0;
  int trials_here_ = 0;
  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::vector<int> codes_;
  std::vector<double> trials_;
  std::vector<double> farewell_;
  std::vector<char> datagram_;
  std::thread thread_;
};

}  // namespace trestle::openfresco
