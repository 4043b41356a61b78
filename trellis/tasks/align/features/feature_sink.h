// Features are written once, as sink(name, value), and used twice: one sink keeps the names when a
// set of features is made, another keeps the values of each row. So names and columns always match.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trellis::align {

class FeatureNames {
 public:
  explicit FeatureNames(std::vector<std::string>& names) : names_(names) {}
  // Sets the prefix of the names that follow.
  void group(std::string_view name) { group_ = name; }
  void operator()(std::string_view name, double) {
    names_.push_back(group_.empty() ? std::string(name) : group_ + "." + std::string(name));
  }

 private:
  std::vector<std::string>& names_;
  std::string group_;
};

class FeatureValues {
 public:
  // `next`: memory for a row.
  explicit FeatureValues(float* next) : next_(next) {}
  void group(std::string_view) {}
  void operator()(std::string_view, double value) { *next_++ = static_cast<float>(value); }
  const float* next() const { return next_; }

 private:
  float* next_;
};

// 1 or 0.
constexpr double indicator(bool holds) {
  return holds ? 1.0 : 0.0;
}

}  // namespace trellis::align
