#include "daemon/tokens.hpp"

#include "daemon/token_file.hpp"
#include "support.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <set>

namespace xq::daemon {
namespace {

using testing::HasSubstr;

TEST(Tokens, AreLongRandomAndKeptAsAHash) {
    std::set<std::string> made;
    for (int i = 0; i < 20; ++i) {
        const auto token = make_token("anna", true);
        EXPECT_TRUE(token.token.starts_with("anna."));
        const std::string secret = token.token.substr(5);
        constexpr int bits_a_letter = 5;
        const auto dashes = std::count(secret.begin(), secret.end(), '-');
        EXPECT_GE((static_cast<int>(secret.size()) - dashes) * bits_a_letter, 128);
        EXPECT_EQ(write_token(token.entry).find(secret), std::string::npos);
        made.insert(secret);
        made.insert(write_token(token.entry));
    }
    EXPECT_EQ(made.size(), 40U);
}

TEST(Tokens, SurviveTheirFile) {
    const auto anna = make_token("anna", true), screen = make_token("screen_1", false);
    const auto read = read_tokens("# of the hall\n\n" + write_token(anna.entry) + '\n' +
                                  write_token(screen.entry) + '\n');
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, (std::vector{anna.entry, screen.entry}));
    EXPECT_TRUE((*read)[0].may_change);
    EXPECT_FALSE((*read)[1].may_change);
}

TEST(Tokens, AreFoundByTheWholeOfThem) {
    const auto anna = make_token("anna", true), bea = make_token("bea", true);
    const std::vector entries{anna.entry, bea.entry};
    EXPECT_EQ(find_token(entries, anna.token), entries.data());
    EXPECT_EQ(find_token(entries, bea.token), &entries[1]);
    EXPECT_EQ(find_token({bea.entry}, anna.token), nullptr);
    EXPECT_EQ(find_token({}, anna.token), nullptr);
    std::string other = anna.token;
    other.back() = other.back() == 'x' ? 'y' : 'x';
    for (const auto& wrong : std::vector<std::string>{
             other, anna.token + 'x', anna.token.substr(0, anna.token.size() - 1),
             "bea" + anna.token.substr(4), anna.token.substr(5), "anna.", "anna", ""}) {
        EXPECT_EQ(find_token(entries, wrong), nullptr) << wrong;
    }
}

TEST(Tokens, OfOtherIterationsAreGoodToo) {
    // PBKDF2-HMAC-SHA256 of "bea.x" with 3 iterations, by another implementation.
    const auto entries = read_tokens(
        "bea:watch:pbkdf2-sha256$3$000102030405060708090a0b0c0d0e0f$"
        "46459a0f1a60494b3f41bac43732ea0f4fad1165de87bdcd7fce519b7856fa4f");
    ASSERT_TRUE(entries) << entries.error().what;
    EXPECT_NE(find_token(*entries, "bea.x"), nullptr);
    EXPECT_EQ(find_token(*entries, "bea.y"), nullptr);
}

TEST(Tokens, TellTheLineThatIsWrongAndNothingOfIt) {
    const std::string good = write_token(make_token("anna", true).entry);
    const std::string hash = good.substr(good.rfind(':') + 1);
    const auto hash_with = [&](const std::string& from, const std::string& to) {
        std::string changed = hash;
        return changed.replace(changed.find(from), from.size(), to);
    };
    for (const auto& line : std::vector<std::string>{
             "hush", ":arbiter:" + hash, "an na:arbiter:" + hash, "bea:king:" + hash,
             "bea:arbiter:", "bea:arbiter:hush", "bea:arbiter:" + hash + "0",
             "bea:arbiter:" + hash.substr(1), "bea:arbiter:" + hash_with("$2000$", "$0$"),
             "bea:arbiter:" + hash_with("$2000$", "$1000000000$"),
             "bea:arbiter:" + hash_with("$2000$", "$-5$"),
             "bea:arbiter:" + hash.substr(0, hash.size() - 1) + "g", good}) {
        std::string text = good;
        text.append("\n").append(line);
        const auto read = read_tokens(text);
        ASSERT_FALSE(read) << line;
        EXPECT_THAT(read.error().what, HasSubstr("line 2: "));
        EXPECT_EQ(read.error().what.find("hush"), std::string::npos);
        EXPECT_EQ(read.error().what.find('$'), std::string::npos);
    }
}

class TokenFile : public testing::Test {
protected:
    mode_t mode() const {
        struct stat is {};
        stat(path_.c_str(), &is);
        return is.st_mode & 0777U;
    }
    Folder folder_;
    const std::string path_ = (folder_.path() / "tokens").string();
};

TEST_F(TokenFile, IsForItsOwnerAlone) {
    const auto anna = make_token("anna", true);
    EXPECT_EQ(save_secret(path_, write_token(anna.entry)), "");
    EXPECT_EQ(mode(), 0600U);
    const auto loaded = load_tokens(path_);
    ASSERT_TRUE(loaded) << loaded.error().what;
    EXPECT_EQ(loaded->size(), 1U);
    EXPECT_EQ(save_secret(path_, ""), "");
    EXPECT_EQ(mode(), 0600U);
    EXPECT_TRUE(load_tokens(path_)->empty());

    for (const mode_t open : {0640U, 0620U, 0604U, 0602U, 0610U}) {
        chmod(path_.c_str(), open);
        const auto refused = load_tokens(path_);
        ASSERT_FALSE(refused) << open;
        EXPECT_THAT(refused.error().what, HasSubstr("chmod 600"));
    }
}

TEST_F(TokenFile, OfSystemdsCredentialsMayBeReadByTheGroup) {
    save_secret(path_, "");
    chmod(path_.c_str(), 0440);
    EXPECT_FALSE(load_tokens(path_));
    setenv("CREDENTIALS_DIRECTORY", folder_.path().c_str(), 1);
    EXPECT_TRUE(load_tokens(path_));
    chmod(path_.c_str(), 0444);
    EXPECT_FALSE(load_tokens(path_));
    chmod(path_.c_str(), 0460);
    EXPECT_FALSE(load_tokens(path_));
    unsetenv("CREDENTIALS_DIRECTORY");
}

TEST_F(TokenFile, SaysWhyItCannotBeUsed) {
    EXPECT_THAT(load_tokens(path_).error().what, HasSubstr("No such file"));
    EXPECT_THAT(load_tokens(folder_.path()).error().what, HasSubstr("is no file"));
    EXPECT_THAT(save_secret(path_ + "/x/y", ""), HasSubstr("No such file"));
    save_secret(path_, std::string(200'000, '#'));
    EXPECT_THAT(load_tokens(path_).error().what, HasSubstr("too large"));
}

}  // namespace
}  // namespace xq::daemon
