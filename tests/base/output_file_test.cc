#include "trellis/base/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using testing::content_of;
using testing::TemporaryDirectory;

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

template <class Action>
std::string complaint_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string noise(Index size) {
  Random random(7);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random.next());
  return text;
}

mode_t mode_of(const std::string& path) {
  struct stat status;
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// Runs the action in a child process; true if it returned true.
template <class Action>
bool succeeds_in_child(const Action& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action() ? 0 : 1);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AtomicFile, WritesWhatItIsGiven) {
  const TemporaryDirectory directory;
  // Smaller and larger than the buffer, and pieces that straddle it.
  std::string expected;
  AtomicFile file(directory.file("out"));
  for (const Index size : {0, 1, 100, 262143, 2, 262144, 300000, 1000000, 5}) {
    const std::string piece = noise(size);
    file.write(piece);
    expected += piece;
  }
  file.commit();
  EXPECT_EQ(content_of(directory.file("out")), expected);
  EXPECT_EQ(directory.num_entries(), 1u);
}

TEST(AtomicFile, WithoutCommitTheOldContentStaysAndTheTemporaryIsGone) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("out", "old");
  {
    AtomicFile file(path);
    file.write(noise(1000000));
    EXPECT_EQ(content_of(path), "old");
    EXPECT_EQ(directory.num_entries(), 2u);
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(directory.num_entries(), 1u);
  { AtomicFile file(directory.file("new")); }
  EXPECT_EQ(directory.num_entries(), 1u);
}

TEST(AtomicFile, ReaderOfTheOldFileKeepsIt) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("out", "old\n");
  InputFile reader(path);
  write_file(path, "new\n");
  std::string_view line;
  ASSERT_TRUE(reader.read_line(line));
  EXPECT_EQ(line, "old");
  EXPECT_EQ(content_of(path), "new\n");
}

TEST(AtomicFile, CompressesByName) {
  const TemporaryDirectory directory;
  for (const std::string& text : {noise(1000000), std::string(3000000, 'a'), std::string()}) {
    for (const char* name : {"t.gz", "t.zst"}) {
      write_file(directory.file(name), text);
      EXPECT_EQ(read_file(directory.file(name)), text) << name;
      EXPECT_NE(content_of(directory.file(name)), text) << name;
      const std::string first = content_of(directory.file(name));
      write_file(directory.file(name), text);
      EXPECT_EQ(content_of(directory.file(name)), first) << "same bytes in, same bytes out";
    }
  }
}

TEST(AtomicFile, KeepsPermissionsOfTheReplacedFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("out", "old");
  for (const mode_t mode : {0600, 0640, 0755, 0666}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    write_file(path, "new");
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST(AtomicFile, NewFilesFollowTheUmask) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(succeeds_in_child([&] {
    ::umask(027);
    write_file(directory.file("out"), "x");
    return mode_of(directory.file("out")) == 0640;
  }));
}

TEST(AtomicFile, SymbolicLinksStayAndTheirTargetIsReplaced) {
  namespace fs = std::filesystem;
  const TemporaryDirectory directory;
  fs::create_directory(directory.file("sub"));
  directory.make("sub/target", "old");
  fs::create_symlink("sub/target", directory.file("relative"));
  fs::create_symlink(directory.file("relative"), directory.file("absolute"));
  write_file(directory.file("absolute"), "new");
  EXPECT_EQ(content_of(directory.file("sub/target")), "new");
  EXPECT_TRUE(fs::is_symlink(directory.file("absolute")));
  EXPECT_TRUE(fs::is_symlink(directory.file("relative")));

  fs::create_symlink("sub/not-yet", directory.file("dangling"));
  write_file(directory.file("dangling"), "made");
  EXPECT_EQ(content_of(directory.file("sub/not-yet")), "made");
  EXPECT_TRUE(fs::is_symlink(directory.file("dangling")));

  fs::create_symlink("loop", directory.file("loop"));
  EXPECT_NE(complaint_of([&] { write_file(directory.file("loop"), "x"); }).find("symbolic links"),
            std::string::npos);
}

TEST(AtomicFile, LongNamesAreAccepted) {
  const TemporaryDirectory directory;
  const std::string path = directory.file(std::string(255, 'n'));
  write_file(path, "x");
  EXPECT_EQ(content_of(path), "x");
}

TEST(AtomicFile, BadPathsAreNamed) {
  const TemporaryDirectory directory;
  const auto complaint = [](const std::string& path) {
    return complaint_of([&] { write_file(path, "x"); });
  };
  EXPECT_EQ(complaint("/no/such/place"), "/no/such/place: cannot write: No such file or directory");
  EXPECT_EQ(complaint(directory.path()), directory.path() + ": cannot write: Is a directory");
  EXPECT_NE(complaint(""), "");
  const std::string beneath = directory.make("file", "") + "/x";
  EXPECT_EQ(complaint(beneath), beneath + ": cannot write: Not a directory");
}

TEST(AtomicFile, FullDeviceIsReported) {
  const auto complaint = complaint_of([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(complaint, "/dev/full: cannot write: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, FileSizeLimitIsReportedAndNothingIsLost) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("out", "old");
  EXPECT_TRUE(succeeds_in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return complaint_of([&] { write_file(path, noise(1000000)); }) ==
           path + ": cannot write: File too large";
  }));
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(directory.num_entries(), 1u);
}

TEST(AtomicFile, ReadOnlyFilesAreNotReplaced) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("out", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0777), 0);
  EXPECT_TRUE(succeeds_in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::seteuid(kNobody) != 0) return false;  // root may write everywhere
    return complaint_of([&] { write_file(path, "new"); }) ==
           path + ": cannot write: Permission denied";
  }));
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(directory.num_entries(), 1u);
}

TEST(AtomicFile, WhatIsNoRegularFileIsWrittenDirectly) {
  const TemporaryDirectory directory;
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content_of(pipe); });
  write_file(pipe, "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

// As in `trellis … --output /dev/stdout >> log`: what stands there and what follows must survive.
TEST(AtomicFile, RedirectedStandardOutputIsContinued) {
  const TemporaryDirectory directory;
  const std::string path = directory.make("log", "before ");
  EXPECT_TRUE(succeeds_in_child([&] {
    const int log = ::open(path.c_str(), O_WRONLY);
    ::lseek(log, 0, SEEK_END);
    ::dup2(log, STDOUT_FILENO);
    write_file("/dev/stdout", "middle ");
    return ::write(STDOUT_FILENO, "after", 5) == 5;
  }));
  EXPECT_EQ(content_of(path), "before middle after");
}

TEST(OutputFile, StandardOutputIsFlushedOnDemandAndAtTheEnd) {
  const TemporaryDirectory directory;
  for (const char* name : {"", "-"}) {
    const std::string path = directory.file("captured");
    EXPECT_TRUE(succeeds_in_child([&] {
      ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      OutputFile out(name);
      out.write("one ");
      out.flush();
      bool flushed = content_of(path) == "one ";
      out.write(std::string(200000, 'x'));
      out.commit();
      flushed = flushed && content_of(path).size() == 200004;
      OutputFile(name).write("left");
      return flushed && content_of(path).size() == 200008;
    }));
  }
}

TEST(OutputFile, FailuresOfStandardOutputAreReported) {
  EXPECT_TRUE(succeeds_in_child([&] {
    ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
    return complaint_of([] {
             OutputFile out("-");
             out.write("x");
             out.commit();
           }) == "<stdout>: cannot write: No space left on device";
  }));
}

TEST(OutputFile, FilesAppearOnCommit) {
  const TemporaryDirectory directory;
  OutputFile out(directory.file("out"));
  out.write("text");
  out.flush();
  EXPECT_FALSE(std::filesystem::exists(directory.file("out")));
  out.commit();
  EXPECT_EQ(content_of(directory.file("out")), "text");
}

}  // namespace
}  // namespace trellis
