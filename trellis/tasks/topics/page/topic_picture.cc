#include "trellis/tasks/topics/page/topic_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/palette.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/markup/word_label.h"
#include "trellis/topics/relevance.h"

namespace trellis::report {
namespace {

constexpr double kMapWidth = 520, kMapHeight = 500, kMapMargin = 16;
constexpr double kBubbleShare = 0.12;  // of the picture: total area of bubbles
constexpr double kSmallestBubble = 4, kLargestBubble = 70;
constexpr double kNumberedBubble = 8;  // smaller bubbles have their number outside
constexpr double kNumberSize = 13;     // font size
constexpr double kLongestNumber = 12;  // for named topics; in units of kNumberSize
constexpr Index kWordsInTitle = 8;

double bubble_radius(double prevalence) {
  const double area = kBubbleShare * kMapWidth * kMapHeight * std::max(prevalence, 0.0);
  return std::clamp(std::sqrt(area / std::numbers::pi), kSmallestBubble, kLargestBubble);
}

struct Bubble {
  double x = 0, y = 0, radius = 0;
};

// Positions in picture units: one scale for both axes, with space for bubbles at the border.
std::vector<Bubble> bubbles_of(std::span<const ReportedTopic> topics) {
  std::vector<Bubble> bubbles;
  double left = trellis::kInfinity, right = -trellis::kInfinity, top = trellis::kInfinity,
         bottom = -trellis::kInfinity, largest = 0;
  for (const ReportedTopic& topic : topics) {
    const double radius = bubble_radius(topic.prevalence);
    bubbles.push_back({topic.place.x, topic.place.y, radius});
    left = std::min(left, topic.place.x);
    right = std::max(right, topic.place.x);
    top = std::min(top, topic.place.y);
    bottom = std::max(bottom, topic.place.y);
    largest = std::max(largest, radius);
  }
  const double room = 2 * (kMapMargin + largest);
  const double across = right - left, down = bottom - top;
  double scale = trellis::kInfinity;
  if (across > 0) scale = (kMapWidth - room) / across;
  if (down > 0) scale = std::min(scale, (kMapHeight - room) / down);
  if (scale == trellis::kInfinity) scale = 0;
  for (Bubble& bubble : bubbles) {
    bubble.x = kMapWidth / 2 + scale * (bubble.x - (left + right) / 2);
    bubble.y = kMapHeight / 2 + scale * (bubble.y - (top + bottom) / 2);
  }
  return bubbles;
}

// The position of a bubble's number: centre, half width and half height.
struct NumberBox {
  double x = 0, y = 0, half_width = 0, half_height = 0;
  bool crowded = false;  // no room: shown only when its bubble is selected

  bool overlaps(const NumberBox& other) const {
    return std::abs(x - other.x) < half_width + other.half_width &&
           std::abs(y - other.y) < half_height + other.half_height;
  }
  bool overlaps(const Bubble& bubble) const {
    const double dx = std::max(0.0, std::abs(x - bubble.x) - half_width);
    const double dy = std::max(0.0, std::abs(y - bubble.y) - half_height);
    return dx * dx + dy * dy < bubble.radius * bubble.radius;
  }
  bool inside_picture() const {
    return x - half_width >= 0 && x + half_width <= kMapWidth && y - half_height >= 0 &&
           y + half_height <= kMapHeight;
  }
};

// Inside the bubble if that is large enough, otherwise on the first free side.
NumberBox number_box(const std::string& name, Index k, std::span<const Bubble> bubbles,
                     std::span<const NumberBox> placed) {
  const Bubble& at = bubbles[k];
  NumberBox box{at.x, at.y, text_width(name) * kNumberSize / 2, kNumberSize / 2};
  const auto is_free = [&](const NumberBox& place) {
    return std::none_of(placed.begin(), placed.end(),
                        [&](const NumberBox& other) { return place.overlaps(other); });
  };
  const bool fits = at.radius >= kNumberedBubble && box.half_width < at.radius;
  if (fits && is_free(box)) return box;
  const double across = at.radius + box.half_width + 2, down = at.radius + box.half_height + 1;
  for (const auto& [dx, dy] : {std::pair{across, 0.0}, {-across, 0.0}, {0.0, -down}, {0.0, down}}) {
    NumberBox beside = box;
    beside.x += dx;
    beside.y += dy;
    const auto covers = [&](const Bubble& other) { return beside.overlaps(other); };
    if (beside.inside_picture() && is_free(beside) &&
        std::none_of(bubbles.begin(), bubbles.end(), covers)) {
      return beside;
    }
  }
  box.crowded = true;
  return box;
}

// The most prevalent topics choose first.
std::vector<NumberBox> number_boxes(std::span<const ReportedTopic> topics,
                                    std::span<const Bubble> bubbles) {
  std::vector<NumberBox> boxes(topics.size()), placed;
  for (const Index k : by_prevalence(topics)) {
    boxes[k] = number_box(fit_text(topic_name(topics, k), kLongestNumber), k, bubbles, placed);
    if (!boxes[k].crowded) placed.push_back(boxes[k]);
  }
  return boxes;
}

Html number(const std::string& name, const NumberBox& box) {
  return text_element("text",
                      {{"x", coordinate(box.x)},
                       {"y", coordinate(box.y + 4)},
                       {"text-anchor", "middle"},
                       {"class", box.crowded ? "crowded" : "bubble-number"}},
                      fit_text(name, kLongestNumber));
}

Html bubble(std::span<const ReportedTopic> topics, Index k, const Bubble& at, const NumberBox& box,
            const std::string& style) {
  const ReportedTopic& topic = topics[k];
  const std::string name = topic_name(topics, k);
  const std::string said =
      fmt::format("Topic {}, {} % of words: {}", name, format_percent(topic.prevalence),
                  telling_words(topic, kWordsInTitle));
  const Html circle = element(
      "circle", {{"cx", coordinate(at.x)}, {"cy", coordinate(at.y)}, {"r", coordinate(at.radius)}});
  return element("a",
                 {{"href", fmt::format("#topic-{}", k + 1)},
                  {"class", "bubble"},
                  {"data-topic", fmt::format("{}", k)},
                  {"aria-label", said},
                  {"style", style}},
                 text_element("title", said) + circle + (box.crowded ? number(name, box) : Html()));
}

std::string kind_of(const std::string& colour) {
  return fmt::format("--kind:{}", colour);
}

Html group_legend(std::span<const TopicGroup> groups) {
  Html items;
  for (const TopicGroup& group : groups) {
    const Html sample =
        swatch(element("circle", {{"cx", "14"}, {"cy", "6"}, {"r", "5.5"}, {"class", "bubble"}}));
    const std::string name = group.name.empty() ? "–" : group.name;
    items += element("li", {{"style", kind_of(group.colour)}},
                     sample + text_element("span", {{"dir", "auto"}}, name));
  }
  return element("ul", {{"class", "legend"}}, items);
}

}  // namespace

std::string topic_name(std::span<const ReportedTopic> topics, Index k) {
  return topics[k].name.empty() ? fmt::format("{}", k + 1) : topics[k].name;
}

std::vector<TopicGroup> topic_groups(std::span<const ReportedTopic> topics,
                                     std::span<const std::string> classes) {
  std::vector<TopicGroup> groups;
  const auto named = [&](const std::string& name) {
    return std::find_if(groups.begin(), groups.end(),
                        [&](const TopicGroup& group) { return group.name == name; });
  };
  for (const ReportedTopic& topic : topics) {
    if (named(topic.group) != groups.end()) continue;
    const auto found = std::find(classes.begin(), classes.end(), topic.group);
    const auto kind = static_cast<Index>(found - classes.begin());
    const std::string_view colour = classes.empty()          ? palette_colour(groups.size())
                                    : found != classes.end() ? palette_colour(kind)
                                                             : kNoKindColour;
    groups.push_back({topic.group, std::string(colour), {}});
  }
  for (const Index k : by_prevalence(topics)) named(topics[k].group)->topics.push_back(k);
  return groups;
}

std::vector<Index> by_prevalence(std::span<const ReportedTopic> topics) {
  std::vector<Index> order(topics.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return topics[a].prevalence > topics[b].prevalence; });
  return order;
}

std::vector<const ReportedWord*> most_relevant(const ReportedTopic& topic, double lambda,
                                               Index count) {
  std::vector<std::pair<double, const ReportedWord*>> ranked;
  for (const ReportedWord& word : topic.words) {
    ranked.emplace_back(topics::relevance(word.in_topic, word.overall, lambda), &word);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const ReportedWord*> words;
  for (const auto& [relevance, word] : ranked) {
    if (words.size() == count || relevance == -trellis::kInfinity) break;
    words.push_back(word);
  }
  return words;
}

std::string telling_words(const ReportedTopic& topic, Index count) {
  std::string words;
  for (const ReportedWord* word : most_relevant(topic, topics::kUsualLambda, count)) {
    if (!words.empty()) words += ", ";
    words += isolated(word->word);
  }
  return words;
}

Html topic_map_picture(std::span<const ReportedTopic> topics, std::span<const TopicGroup> groups) {
  const std::vector<Bubble> bubbles = bubbles_of(topics);
  std::vector<std::string> styles(topics.size());
  if (groups.size() > 1) {
    for (const TopicGroup& group : groups) {
      for (const Index k : group.topics) styles[k] = kind_of(group.colour);
    }
  }
  const auto line = [](double x1, double y1, double x2, double y2) {
    return element("line", {{"class", "grid"},
                            {"x1", coordinate(x1)},
                            {"y1", coordinate(y1)},
                            {"x2", coordinate(x2)},
                            {"y2", coordinate(y2)}});
  };
  Html drawing = line(0, kMapHeight / 2, kMapWidth, kMapHeight / 2) +
                 line(kMapWidth / 2, 0, kMapWidth / 2, kMapHeight);
  // Large bubbles are below small ones.
  Html numbers;
  const std::vector<NumberBox> boxes = number_boxes(topics, bubbles);
  for (const Index k : by_prevalence(topics)) {
    drawing += bubble(topics, k, bubbles[k], boxes[k], styles[k]);
    if (!boxes[k].crowded) numbers += number(topic_name(topics, k), boxes[k]);
  }
  // Above all bubbles; screen readers have read them with the bubbles.
  drawing += element("g", {{"class", "numbers"}, {"aria-hidden", "true"}}, numbers);
  const Html svg = element("svg",
                           {{"viewBox", fmt::format("0 0 {} {}", kMapWidth, kMapHeight)},
                            {"role", "group"},
                            {"aria-label", "Topics by the difference of their words"}},
                           drawing);
  return element("figure", {{"class", "chart topic-map"}},
                 text_element("figcaption", "Map of topics") + svg +
                     (groups.size() > 1 ? group_legend(groups) : Html()));
}

Html term_bars(const ReportedTopic& topic, double lambda) {
  const std::vector<const ReportedWord*> words = most_relevant(topic, lambda, kTermsShown);
  double most = 0;
  for (const ReportedWord* word : words) {
    most = std::max({most, word->overall, word->in_topic * topic.prevalence});
  }
  Html rows;
  for (const ReportedWord* word : words) {
    const auto share = [&](double x) { return most > 0 ? std::clamp(x / most, 0.0, 1.0) : 0.0; };
    const Html bars =
        element("span", {{"class", "uses"},
                         {"style", fmt::format("--all:{:.4f};--here:{:.4f}", share(word->overall),
                                               share(word->in_topic * topic.prevalence))}});
    rows += element("li", text_element("span", {{"class", "term"}, {"dir", "auto"}}, word->word) +
                              bars +
                              text_element("span", {{"class", "share"}},
                                           format_significant(100 * word->in_topic, 2)));
  }
  return element("ol", {{"class", "terms"}}, rows);
}

}  // namespace trellis::report
