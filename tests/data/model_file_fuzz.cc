// Any bytes loaded as a model: an InputError or a model that can be used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"

namespace {

using trellis::FingerprintView;
using trellis::Index;
using trellis::InputError;
using trellis::ModelReader;
using trellis::NameList;
using trellis::NameView;

template <class Action>
void try_to(const Action& action) {
  try {
    action();
  } catch (const InputError&) {
  }
}

void use_names(const ModelReader& model) {
  const std::span<const char> bytes(model.text("names"));
  const NameView names(model.array<std::uint64_t>("offsets"), bytes, model.name());
  const NameList list(names, model.name());
  for (Index id = 0; id < names.size(); ++id) {
    if (list.find(names[id]) != id) std::abort();
  }
}

void use_table(const ModelReader& model) {
  constexpr Index kIds = 10;
  const FingerprintView table(model.array<std::uint64_t>("keys"), model.array<std::uint32_t>("ids"),
                              kIds, model.name());
  for (std::uint64_t fp = 0; fp < 100; ++fp) {
    const std::uint32_t id = table.find(fp);
    if (id != FingerprintView::kNone && id >= kIds) std::abort();
  }
}

void load(std::span<const std::byte> bytes) {
  const ModelReader model = ModelReader::from_bytes(bytes, "fuzz");
  try_to([&] { model.expect("fuzz", 1); });
  try_to([&] { static_cast<void>(model.json("options")); });
  try_to([&] { use_names(model); });
  try_to([&] { use_table(model); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trellis::testing::fuzz_model(data, size, load);
  return 0;
}
