// Frames with a keyed hash behind them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "adapters/udp_target/udp_target.h"
#include "tests/adapters/udp_target/peer.h"

namespace trestle::udp_target {
namespace {

using Frame = std::vector<std::uint8_t>;

/// 00 01 02 ... 1f
FrameSeal::Key counted_key() {
  FrameSeal::Key key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

std::string key_file(const std::string& name, const std::string& text, mode_t mode = 0600) {
  std::string path = testing::TempDir() + name + std::to_string(getpid());
  std::ofstream(path) << text;
  chmod(path.c_str(), mode);
  return path;
}

std::string counted_key_text() {
  std::string text;
  for (int i = 0; i < 32; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(i));
    text += digits.data();
  }
  return text + "\n";
}

std::string sealed_settings(const std::string& target, const std::string& key,
                            const char* count = "u64") {
  return "target: " + target +
         "\nlisten: 127.0.0.1:0\nstale: 3600 s\nconnect: 30 s\nkey: " + key +
         "\nsend[0].field: sequence\nsend[0].type: " + count +
         "\nsend[1].field: drive\nsend[1].type: f64\n"
         "send[2].field: command\nsend[2].type: u8\n"
         "receive[0].field: sequence\nreceive[0].type: u32\n"
         "receive[1].field: echo\nreceive[1].type: " +
         count +
         "\nreceive[2].field: displacement\nreceive[2].type: f64\n"
         "receive[3].field: force\nreceive[3].type: f64\n";
}

/// A target that knows the key.
class SealedFrames : public testing::Test {
 protected:
  SealedFrames() : key_(key_file("frame_key", counted_key_text())) {
    rig_ = std::make_unique<UdpTarget>(
        target_settings(sealed_settings(peer_.address(), key_).c_str()));
    peer_.call(rig_->port());
    prepare();
  }
  ~SealedFrames() override { unlink(key_.c_str()); }

  void prepare() {
    peer_.newest();
    const std::jthread beside([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {  // the first answers may be to frames before the run
        if (const Frame sent = peer_.newest(); !sent.empty()) answer_to(sent, 0.0);
        std::this_thread::yield();
      }
    });
    rig_->prepare();
  }
  void answer_to(const Frame& sent, double displacement) {
    std::memcpy(&echo_, sent.data(), sizeof echo_);
    peer_.send(frame(displacement));
  }
  Frame frame(double displacement, Sender sender = Sender::kTarget) {
    Frame bytes(28 + FrameSeal::kHashBytes);
    ++sequence_;
    std::memcpy(bytes.data(), &sequence_, 4);
    std::memcpy(bytes.data() + 4, &echo_, 8);
    std::memcpy(bytes.data() + 12, &displacement, 8);
    FrameSeal(counted_key()).seal(bytes, sender);
    return bytes;
  }
  double displacement() {
    double displacement = -1.0;
    double force = 0.0;
    trestle_sensed sensed{};
    sensed.displacement = &displacement;
    sensed.force = &force;
    EXPECT_EQ(rig_->read(1'000'000'000, sensed), TRESTLE_ADAPTER_OK);
    return displacement;
  }
  /// How many frames were dropped as not the target's. While a run is prepared, an answer
  /// to the run before may be one of them.
  int not_ours() const {
    std::array<char, 400> text{};
    rig_->diagnose(text.data(), static_cast<std::uint32_t>(text.size()));
    const std::string words = text.data();
    const std::size_t end = words.find(" not ours");
    if (end == std::string::npos) return 0;
    return std::stoi(words.substr(words.rfind(' ', end - 1) + 1));
  }

  std::string key_;
  Peer peer_;
  std::unique_ptr<UdpTarget> rig_;
  std::uint32_t sequence_ = 0;
  std::uint64_t echo_ = 0;
};

/// By an implementation of another house: Python's
/// hashlib.blake2b(b'S' + bytes(range(8)), key=bytes(range(32)), digest_size=16)
TEST(FrameSeal, IsTheKeyedHashOfItsDocumentation) {
  Frame sealed(8 + FrameSeal::kHashBytes);
  for (std::size_t i = 0; i < 8; ++i) sealed[i] = static_cast<std::uint8_t>(i);
  const FrameSeal seal(counted_key());
  seal.seal(sealed, Sender::kSite);
  const Frame expected{0x70, 0x1c, 0x02, 0x39, 0x38, 0x5d, 0x4a, 0x58,
                       0xac, 0xc3, 0xcd, 0x42, 0x30, 0xdb, 0x70, 0xb7};
  EXPECT_EQ(Frame(sealed.begin() + 8, sealed.end()), expected);
  EXPECT_TRUE(seal.genuine(sealed, Sender::kSite));
  EXPECT_FALSE(seal.genuine(sealed, Sender::kTarget)) << "sent back";
  sealed[3] ^= 1U;
  EXPECT_FALSE(seal.genuine(sealed, Sender::kSite));
  EXPECT_EQ(FrameSeal().size(), 0U) << "without a key frames are as they were";
}

TEST_F(SealedFrames, AreTakenFromWhoKnowsTheKey) {
  const double drive = 0.25;
  peer_.newest();
  rig_->write(&drive);
  const Frame sent = peer_.newest();
  ASSERT_EQ(sent.size(), 17U + FrameSeal::kHashBytes);
  EXPECT_TRUE(FrameSeal(counted_key()).genuine(sent, Sender::kSite));
  answer_to(sent, 0.125);
  EXPECT_EQ(displacement(), 0.125);
}

TEST_F(SealedFrames, AreDroppedWhereTheHashIsAnothers) {
  displacement();
  const int before = not_ours();
  peer_.send(frame(0.125));
  Frame forged = frame(9.0);
  forged[13] ^= 1U;
  peer_.send(forged);
  peer_.send(frame(9.0, Sender::kSite));
  forged = frame(9.0);
  forged.resize(28);  // as without a key
  peer_.send(forged);
  EXPECT_EQ(displacement(), 0.125);
  EXPECT_EQ(not_ours() - before, 3);
}

TEST_F(SealedFrames, AreDroppedWhereTheyWereRecordedInAnEarlierRun) {
  const Frame recorded = frame(9.0);
  prepare();
  peer_.send(recorded);
  peer_.send(frame(0.125));
  EXPECT_EQ(displacement(), 0.125);
  peer_.send(recorded);
  EXPECT_EQ(displacement(), 0.125);
}

TEST(FrameKey, IsRefusedWhereItIsNoSecretOrNoKey) {
  const auto refused = [](const std::string& text, mode_t mode, const char* count,
                          const std::string& because) {
    const std::string file = key_file("bad_key", text, mode);
    try {
      target_settings(sealed_settings("127.0.0.1:5001", file, count).c_str());
      ADD_FAILURE() << because;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(because), std::string::npos) << error.what();
    }
    unlink(file.c_str());
  };
  refused(counted_key_text(), 0644, "u64", "mode 0600");
  refused("00ff\n", 0600, "u64", "64 hexadecimal digits");
  refused(std::string(64, 'x'), 0600, "u64", "64 hexadecimal digits");
  refused(counted_key_text(), 0600, "u32", "played again");
}

}  // namespace
}  // namespace trestle::udp_target
