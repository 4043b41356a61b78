#include "trellis/pictures/scripts/script_hash.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/well_formed.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report::script_hash_test {
namespace {

// FIPS 180-4's examples, and lengths around the border of a block; by coreutils' sha256sum.
TEST(ScriptHash, IsSha256InBase64) {
  EXPECT_EQ(base64(sha256("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(base64(sha256("abc")), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(base64(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
  EXPECT_EQ(base64(sha256(std::string(55, 'a'))), "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg=");
  EXPECT_EQ(base64(sha256(std::string(64, 'a'))), "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs=");
}

TEST(ScriptHash, Base64PadsAsTheStandardSays) {
  const auto encoded = [](std::string_view text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
}

TEST(Page, APolicyKnowsTheScriptThatThePageHas) {
  Page page("x");
  page.add_data("data", R"({"name":"</script>&"})");
  page.add_script("let a = 1 < 2 && 3;");
  const std::string html = page.to_string();
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string begin = "<script>";
  const std::size_t at = html.find(begin) + begin.size();
  const std::string code = html.substr(at, html.find("</script>", at) - at);
  EXPECT_NE(code.find("1 < 2 && 3"), std::string::npos);
  const std::string source = "sha256-" + base64(sha256(code));
  EXPECT_NE(html.find("script-src &#39;" + source + "&#39;\""), std::string::npos);
  EXPECT_NE(html.find(R"({"name":"\u003c/script\u003e\u0026"})"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::script_hash_test
