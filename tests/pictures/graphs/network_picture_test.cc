#include "trellis/pictures/graphs/network_picture.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/well_formed.h"

namespace trellis::report::network_picture_test {
namespace {

NetworkPicture small_picture() {
  NetworkPicture picture;
  picture.title = "The network";
  picture.variables = {{"<class>", VariableRole::kTarget, "3 values"},
                       {"a very long name of a variable indeed", VariableRole::kSeen},
                       {"cluster", VariableRole::kHidden}};
  picture.arrows = {{0, 1, 0.25, "0.25 nats"}, {2, 1, 0.05}, {0, 2}};
  picture.strength_name = "mutual information";
  return picture;
}

TEST(NetworkPicture, ShowsVariablesAndArrows) {
  const std::string markup = network_picture(small_picture()).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_EQ(count_of(markup, "<rect"), 3 + 2);  // and samples
  EXPECT_EQ(count_of(markup, "class=\"head\""), 3);
  EXPECT_EQ(count_of(markup, "class=\"variable predicted-one\""), 2);
  EXPECT_EQ(count_of(markup, "class=\"variable hidden-one\""), 2);
  const std::string text = visible_text(markup);
  for (const char* words : {"<class>", "3 values", "a very long name of a variable indeed",
                            "0.25 nats", "never seen", "mutual information 0.25"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

TEST(NetworkPicture, AStrongDependenceIsAThickArrow) {
  const std::string markup = network_picture(small_picture()).markup();
  EXPECT_LT(markup.find("stroke-width=\"5\""), markup.find("stroke-width=\"1.8\""));
  EXPECT_EQ(count_of(markup, "stroke-width=\"1.3\""), 1);  // of the one that is not known
}

TEST(NetworkPicture, LongNamesAreCutButTold) {
  const GraphLayout layout = layout_of(small_picture());
  EXPECT_LT(layout.width, 500);
  EXPECT_NE(network_picture(small_picture()).markup().find("…"), std::string::npos);
}

TEST(NetworkPicture, NothingIsDrawnOfNothing) {
  EXPECT_TRUE(network_picture({}).empty());
}

}  // namespace
}  // namespace trellis::report::network_picture_test
