// The help texts: of a task and of a command on two screens, of the program on one.
#pragma once

#include <memory>

#include "trellis/cli/attached.h"

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace trellis::cli {

// `attached` must outlive the result.
std::shared_ptr<CLI::FormatterBase> screens(const Attached& attached);
std::shared_ptr<CLI::FormatterBase> one_screen();

}  // namespace trellis::cli
