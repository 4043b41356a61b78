// The program `trellis`. Exit status: 0 done, 1 the data or the model is wrong, 2 the call is
// wrong, 130 interrupted.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "trellis/base/error.h"
#include "trellis/cli/classify/commands.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/match/commands.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/cli/segment/commands.h"
#include "trellis/cli/tag/commands.h"

namespace {

int fail(const std::exception& error, int status) {
  std::fprintf(stderr, "trellis: %s\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program{
      "Learning to predict structures.\n\n"
      "  trellis tag train train.txt --dev dev.txt --model m.trellis\n"
      "  trellis tag evaluate test.txt --model m.trellis\n"
      "  trellis tag predict raw.txt --model m.trellis\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n\n"
      "'trellis tag --help' and 'trellis tag train --help' say more.",
      "trellis"};
  program.set_version_flag("--version", "trellis 0.1.0");
  program.require_subcommand(1);
  int status = 0;
  trellis::cli::add_tag(program, status);
  trellis::cli::add_classify(program, status);
  trellis::cli::add_segment(program, status);
  trellis::cli::add_label(program, status);
  trellis::cli::add_match(program, status);
  trellis::cli::add_rank(program, status);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const trellis::UsageError& error) {
    return fail(error, 2);
  } catch (const trellis::InputError& error) {
    return fail(error, 1);
  } catch (const std::bad_alloc&) {
    std::fputs("trellis: there is not enough memory for this\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
  return status;
}
