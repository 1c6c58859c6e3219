#include "daemon/journal_files.hpp"

#include "support.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <random>

namespace xq::daemon {
namespace {

using protocol::with_checksum;
using testing::HasSubstr;

std::string journal_text(int game, int events) {
    std::string text;
    for (const auto& head : protocol::write_header(
             {.start = 1'777'626'000'000, .board = "b", .game = game, .fen = "", .config = "{}"})) {
        text += with_checksum(head) + '\n';
    }
    text += with_checksum("# begun") + '\n';
    for (int i = 0; i < events; ++i) {
        text += with_checksum(std::to_string(i * 100) + " press red") + '\n';
    }
    return text;
}

struct Stage {
    Folder folder;
    JournalDirectory directory{folder.path() / "journal"};
    std::filesystem::path file(const std::string& name) const { return directory.path() / name; }
    Recovery recover() const { return daemon::recover(directory, "b"); }
};

TEST(JournalDirectory, IsMadeForTheDaemonAndItsGroupAlone) {
    Stage s;
    struct stat there {};
    ASSERT_EQ(stat(s.directory.path().c_str(), &there), 0);
    EXPECT_EQ(there.st_mode & 0777U, 0750U);
    EXPECT_EQ(s.directory.fault(), "");
}

TEST(JournalDirectory, RefusesASecondDaemon) {
    Stage s;
    EXPECT_THROW(JournalDirectory{s.directory.path()}, std::runtime_error);
}

TEST(JournalDirectory, SaysWhyNothingCanBeKept) {
    Folder folder;
    write(folder.path() / "file", "");
    const JournalDirectory directory(folder.path() / "file" / "below");
    EXPECT_THAT(directory.fault(), HasSubstr("Not a directory"));
    EXPECT_FALSE(recover(directory, "b").game);
}

TEST(JournalDirectory, NamesFilesSoThatTheySort) {
    Stage s;
    const std::string path = s.directory.new_file("Halle 1/b", 1'777'626'000'000, 3);
    EXPECT_EQ(std::filesystem::path(path).filename(), "Halle_1_b-20260501T090000Z-g003.xsl");
    write(path, "");
    EXPECT_EQ(
        std::filesystem::path(s.directory.new_file("Halle 1/b", 1'777'626'000'000, 3)).filename(),
        "Halle_1_b-20260501T090000Z-g003-2.xsl");
}

TEST(Recover, FindsNothingInAnEmptyFolder) {
    Stage s;
    const auto found = s.recover();
    EXPECT_FALSE(found.game);
    EXPECT_EQ(found.next_game, 1);
    EXPECT_TRUE(found.notices.empty());
}

TEST(Recover, TakesUpTheNewestGameOfThisBoard) {
    Stage s;
    write(s.file("b-20260501T090000Z-g009.xsl"), journal_text(9, 2));
    write(s.file("b-20250101T000000Z-g010.xsl"), journal_text(10, 3));  // the clock was wrong
    write(s.file("c-20260501T090000Z-g011.xsl"), journal_text(11, 4));
    const auto found = s.recover();
    ASSERT_TRUE(found.game);
    EXPECT_EQ(found.game->header.game, 10);
    EXPECT_EQ(found.game->events.size(), 3U);
    EXPECT_EQ(found.game->size, journal_text(10, 3).size());
    EXPECT_EQ(found.next_game, 11);
    EXPECT_TRUE(found.notices.empty());
}

// A power cut leaves any number of the last bytes unwritten, and perhaps zeros in their place.
TEST(Recover, CutsATornTailOffWhereverItIsTorn) {
    const std::string whole = journal_text(1, 20);
    const std::string head = journal_text(1, 0);
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
        Stage s;
        const auto file = s.file("b-x-g001.xsl");
        const auto left = std::uniform_int_distribution<std::size_t>(0, whole.size())(random);
        const bool zeros = i % 2 == 0;
        write(file, whole.substr(0, left) + (zeros ? std::string(50, '\0') : ""));
        const auto found = s.recover();
        if (left < head.size()) {
            EXPECT_FALSE(found.game) << left;
            EXPECT_TRUE(exists(s.file("b-x-g001.xsl.incomplete")));
            continue;
        }
        ASSERT_TRUE(found.game) << left;
        const std::size_t lines = whole.rfind('\n', left == 0 ? 0 : left - 1) + 1;
        EXPECT_EQ(contents(file), whole.substr(0, lines)) << left;
        EXPECT_EQ(found.game->size, lines);
        EXPECT_EQ(found.notices.empty(), lines == left && !zeros);
    }
}

TEST(Recover, KeepsADamagedFileAsideAndTakesTheGameUpBeforeTheDamage) {
    Stage s;
    const auto file = s.file("b-x-g001.xsl");
    std::string text = journal_text(1, 10);
    const std::size_t at = journal_text(1, 4).size() + 2;
    text[at] = static_cast<char>(text[at] ^ 1);
    write(file, text);
    const auto found = s.recover();
    ASSERT_TRUE(found.game);
    EXPECT_EQ(found.game->events.size(), 4U);
    EXPECT_EQ(contents(file), journal_text(1, 4));
    EXPECT_EQ(contents(s.file("b-x-g001.xsl.damaged")), text);
    ASSERT_EQ(found.notices.size(), 1U);
    EXPECT_THAT(found.notices[0], HasSubstr("damaged at line 11"));
    struct stat there {};
    ASSERT_EQ(stat(file.c_str(), &there), 0);
    EXPECT_EQ(there.st_mode & 0777U, 0640U);
}

TEST(Recover, GoesBackToTheGameBeforeOneThatHasNotBegun) {
    Stage s;
    write(s.file("b-x-g001.xsl"), journal_text(1, 5));
    write(s.file("b-x-g002.xsl"), journal_text(2, 0).substr(0, 60));
    const auto found = s.recover();
    ASSERT_TRUE(found.game);
    EXPECT_EQ(found.game->header.game, 1);
    ASSERT_EQ(found.notices.size(), 1U);
    EXPECT_THAT(found.notices[0], HasSubstr("incomplete"));
}

}  // namespace
}  // namespace xq::daemon
