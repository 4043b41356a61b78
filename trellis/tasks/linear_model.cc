#include "trellis/tasks/linear_model.h"

#include <nlohmann/json.hpp>

#include "trellis/base/error.h"

namespace trellis {

void refuse(const ModelReader& reader, const std::string& why) {
  throw InputError(reader.name(), 0, why);
}

void read_meta(const ModelReader& reader, std::string_view kind, std::uint32_t newest,
               const std::function<void(const nlohmann::json&)>& read) {
  reader.expect(kind, newest);
  const nlohmann::json meta = reader.json("meta");
  try {
    read(meta);
  } catch (const nlohmann::json::exception&) {
    refuse(reader, "the model's description lacks something or has it in another form");
  } catch (const UsageError& error) {
    refuse(reader, error.what());
  }
}

std::shared_ptr<const nlohmann::json> share(const nlohmann::json& json) {
  return std::make_shared<const nlohmann::json>(json);
}

}  // namespace trellis
