#pragma once
// Plans as JSON, in the form that checkpoints store. With this header nlohmann::json(plan) writes
// one and json.get<Plan>() reads one.

#include <tailor/arch/names.hpp>     // tailor::name_of, tailor::from_name
#include <tailor/arch/plan.hpp>      // tailor::Plan
#include <tailor/arch/validate.hpp>  // tailor::validate

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The number that a stored plan carries as "format". A reader knows this one only.
inline constexpr int plan_format = 1;

namespace detail {

// One list of fields for the writer and the reader, so that they cannot drift apart.

template <class Scaling, class Visit>
void visit_rope_scaling(Scaling& scaling, Visit&& visit) {
  visit("kind", scaling.kind);
  visit("factor", scaling.factor);
  visit("low_frequency_factor", scaling.low_frequency_factor);
  visit("high_frequency_factor", scaling.high_frequency_factor);
  visit("original_context", scaling.original_context);
}

template <class Layer, class Visit>
void visit_layer(Layer& layer, Visit&& visit) {
  visit("heads", layer.heads);
  visit("kv_heads", layer.kv_heads);
  visit("head_dim", layer.head_dim);
  visit("window", layer.window);
  visit("rope_base", layer.rope_base);
  visit("norms", layer.norms);
  visit("qk_norm", layer.qk_norm);
  visit("widths", layer.widths);
}

template <class P, class Visit>
void visit_plan(P& plan, Visit&& visit) {
  visit("d_model", plan.d_model);
  visit("vocab", plan.vocab);
  visit("context", plan.context);
  visit("activation", plan.activation);
  visit("norm_eps", plan.norm_eps);
  visit("unit_offset_gains", plan.unit_offset_gains);
  visit("tied", plan.tied);
  visit("embedding_scale", plan.embedding_scale);
  visit("attention_soft_cap", plan.attention_soft_cap);
  visit("logit_soft_cap", plan.logit_soft_cap);
  visit("rope_scaling", plan.rope_scaling);
  visit("layer_norm_scaling", plan.layer_norm_scaling);
  visit("layers", plan.layers);
}

class PlanWriter {
 public:
  nlohmann::json object = nlohmann::json::object();

  template <class T>
  void operator()(char const* name, T const& value) {
    object[name] = written(value);
  }

 private:
  template <Named Enum>
  static nlohmann::json written(Enum value) {
    return std::string(name_of(value));
  }
  static nlohmann::json written(int value) { return value; }
  static nlohmann::json written(bool value) { return value; }
  static nlohmann::json written(double value) { return value; }
  static nlohmann::json written(std::vector<int> const& values) { return values; }
  static nlohmann::json written(RopeScaling const& scaling) {
    PlanWriter inner;
    visit_rope_scaling(scaling, inner);
    return std::move(inner.object);
  }
  static nlohmann::json written(std::vector<LayerPlan> const& layers) {
    auto array = nlohmann::json::array();
    for (auto const& layer : layers) {
      PlanWriter inner;
      visit_layer(layer, inner);
      array.push_back(std::move(inner.object));
    }
    return array;
  }
};

/// Reads the fields of one object; the path in front of every message says where it lies.
class PlanReader {
 public:
  PlanReader(nlohmann::json const& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json_.is_object()) refuse(path_, "expected an object, got " + type_of(json_));
  }

  template <class T>
  void operator()(char const* name, T& value) {
    known_.insert(name);
    auto const path = path_ + "." + name;
    auto const found = json_.find(name);
    if (found == json_.end()) refuse(path, "missing");
    read(*found, path, value);
  }

  /// Called when all fields were asked for: a field that nobody asked for is a mistake.
  void refuse_others() const {
    for (auto const& [name, value] : json_.items()) {
      if (!known_.contains(name)) refuse(path_ + "." + name, "unknown field");
    }
  }

 private:
  [[noreturn]] static void refuse(std::string const& path, std::string const& reason) {
    throw std::invalid_argument(path + ": " + reason);
  }

  static std::string type_of(nlohmann::json const& json) { return json.type_name(); }

  static void read(nlohmann::json const& json, std::string const& path, int& value) {
    if (!json.is_number_integer()) refuse(path, "expected an integer, got " + type_of(json));
    using Limits = std::numeric_limits<int>;
    auto const fits = json.is_number_unsigned()
                          ? json.get<std::uint64_t>() <= std::uint64_t{Limits::max()}
                          : json.get<std::int64_t>() >= Limits::min() &&
                                json.get<std::int64_t>() <= Limits::max();
    if (!fits) refuse(path, "expected an integer of 32 bits, got " + json.dump());
    value = json.get<int>();
  }

  static void read(nlohmann::json const& json, std::string const& path, bool& value) {
    if (!json.is_boolean()) refuse(path, "expected true or false, got " + type_of(json));
    value = json.get<bool>();
  }

  static void read(nlohmann::json const& json, std::string const& path, double& value) {
    if (!json.is_number()) refuse(path, "expected a number, got " + type_of(json));
    value = json.get<double>();
  }

  template <Named Enum>
  static void read(nlohmann::json const& json, std::string const& path, Enum& value) {
    if (!json.is_string()) refuse(path, "expected a name, got " + type_of(json));
    auto const named = from_name<Enum>(json.get_ref<std::string const&>());
    if (!named) {
      std::string names;
      for (auto const name : names_of<Enum>())
        names += (names.empty() ? "" : ", ") + std::string(name);
      refuse(path, "expected one of " + names + ", got " + json.dump());
    }
    value = *named;
  }

  static void read(nlohmann::json const& json, std::string const& path, std::vector<int>& values) {
    require_array(json, path, PlanLimits::sub_blocks);
    values.assign(json.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) read(json[i], item(path, i), values[i]);
  }

  static void read(nlohmann::json const& json, std::string const& path, RopeScaling& scaling) {
    PlanReader inner(json, path);
    visit_rope_scaling(scaling, inner);
    inner.refuse_others();
  }

  static void read(nlohmann::json const& json, std::string const& path,
                   std::vector<LayerPlan>& layers) {
    require_array(json, path, PlanLimits::layers);
    layers.assign(json.size(), {});
    for (std::size_t l = 0; l < layers.size(); ++l) {
      PlanReader inner(json[l], item(path, l));
      visit_layer(layers[l], inner);
      inner.refuse_others();
    }
  }

  static void require_array(nlohmann::json const& json, std::string const& path, int most) {
    if (!json.is_array()) refuse(path, "expected an array, got " + type_of(json));
    if (json.size() > static_cast<std::size_t>(most)) {
      refuse(path, "expected at most " + std::to_string(most) + " entries, got " +
                       std::to_string(json.size()));
    }
  }

  static std::string item(std::string const& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
  }

  nlohmann::json const& json_;
  std::string path_;
  std::set<std::string> known_;
};

}  // namespace detail

/// The plan as a JSON object with every field and "format".
/// @post   reading what was written gives back the plan
inline void to_json(nlohmann::json& json, Plan const& plan) {
  detail::PlanWriter writer;
  writer("format", plan_format);
  detail::visit_plan(plan, writer);
  json = std::move(writer.object);
}

/// Reads a plan strictly: every field once, of its type, no other, and the plan valid.
/// Throws std::invalid_argument naming the path of the field otherwise; `plan` is unchanged then.
inline void from_json(nlohmann::json const& json, Plan& plan) {
  detail::PlanReader reader(json, "plan");
  int format = 0;
  reader("format", format);
  if (format != plan_format) {
    throw std::invalid_argument("plan.format: expected " + std::to_string(plan_format) + ", got " +
                                std::to_string(format));
  }
  Plan read;
  detail::visit_plan(read, reader);
  reader.refuse_others();
  validate(read);
  plan = std::move(read);
}

}  // namespace tailor
