#pragma once
// What a checkpoint says about itself, as JSON.

#include <tailor/arch/budget.hpp>         // tailor::parameters
#include <tailor/io/plan_json.hpp>        // Plan to and from JSON
#include <tailor/nn/layout.hpp>           // tailor::Layout, tailor::layout_of
#include <tailor/train/history.hpp>       // tailor::History
#include <tailor/train/options.hpp>       // tailor::TrainOptions, detail::visit_trajectory
#include <tailor/train/step_scalars.hpp>  // tailor::RunState

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tailor {

/// A fault of a checkpoint: "checkpoint FILE: PLACE: expected ..., got ...".
struct CheckpointError : std::runtime_error {
  CheckpointError(std::string const& file, std::string const& place, std::string const& fault)
      : std::runtime_error("checkpoint " + file + ": " + place + ": " + fault) {}
};

/// Everything of a checkpoint but its arrays.
struct CheckpointInfo {
  Plan plan{};
  std::string scalar{};    ///< "float32" or "float64"
  TrainOptions options{};  ///< resolved; those that decide the numbers, and no others
  RunState state{};
  std::string corpus_hash{};  ///< of the text it was trained on
  History history{};          ///< so far
};

/// The name of a scalar type in files.
template <class T>
constexpr char const* scalar_name() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "scalar_name: checkpoints hold float or double");
  return std::is_same_v<T, float> ? "float32" : "float64";
}

/// The place of the next batch in the stream of samples.
inline std::int64_t data_position(CheckpointInfo const& info) {
  return info.state.step * info.options.sequences * info.options.accumulate;
}

namespace detail {

inline nlohmann::json json_of(TensorSpec const& tensor) {
  return {{"name", tensor.name},
          {"rows", tensor.rows},
          {"cols", tensor.cols},
          {"offset", tensor.offset}};
}

inline nlohmann::json json_of(History const& history) {
  auto records = nlohmann::json::array(), validation = nlohmann::json::array();
  for (auto const& r : history.records) {
    records.push_back({r.step, r.tokens, r.loss, r.rate, r.gradient_norm, r.tokens_per_second});
  }
  for (auto const& v : history.validation) validation.push_back({v.step, v.tokens, v.loss});
  return {{"records", records},
          {"validation", validation},
          {"finished", history.finished},
          {"seconds", history.seconds},
          {"arithmetic", history.arithmetic},
          {"notes", history.notes}};
}

inline History history_from(nlohmann::json const& json, std::int64_t step) {
  History history;
  for (auto const& r : json.at("records")) {
    history.records.push_back({.step = r.at(0),
                               .tokens = r.at(1),
                               .loss = r.at(2),
                               .rate = r.at(3),
                               .gradient_norm = r.at(4),
                               .tokens_per_second = r.at(5)});
  }
  for (auto const& v : json.at("validation")) {
    history.validation.push_back({.step = v.at(0), .tokens = v.at(1), .loss = v.at(2)});
  }
  history.step = step;
  history.finished = json.at("finished");
  history.seconds = json.at("seconds");
  history.arithmetic = json.at("arithmetic");
  history.notes = json.at("notes").get<std::vector<std::string>>();
  return history;
}

}  // namespace detail

/// The header of a checkpoint as text. The arrays follow it in the order of "arrays", each with
/// every tensor of "tensors" at its offset, counted in elements.
inline std::string header_text(CheckpointInfo const& info, Layout const& layout) {
  nlohmann::json tensors = nlohmann::json::array(), options;
  for (auto const& tensor : layout.tensors) tensors.push_back(detail::json_of(tensor));
  detail::visit_trajectory(info.options,
                           [&](char const* name, auto const& value) { options[name] = value; });
  nlohmann::json const header = {
      {"plan", info.plan},
      {"scalar", info.scalar},
      {"parameters", parameters(info.plan, Count::all)},
      {"matrix_parameters", parameters(info.plan, Count::matrices)},
      {"arrays", {"parameters", "first_moment", "second_moment"}},
      {"elements", layout.size},
      {"tensors", tensors},
      {"options", options},
      {"step", info.state.step},
      {"recorded", info.state.recorded},
      {"loss_sum", info.state.loss_sum},
      {"gradient_norm", info.state.gradient_norm},
      {"data_position", data_position(info)},
      {"random", "philox4x32-10, keyed by options.seed, counted by data_position"},
      {"corpus_hash", info.corpus_hash},
      {"history", detail::json_of(info.history)}};
  return header.dump();
}

/// Reads a header and holds it against what its plan says.
/// Error: CheckpointError naming the field.
inline CheckpointInfo parse_header(std::string const& file, std::string const& text) {
  CheckpointInfo info;
  try {
    auto const json = nlohmann::json::parse(text);
    info.plan = json.at("plan").get<Plan>();
    info.scalar = json.at("scalar");
    detail::visit_trajectory(info.options, [&](char const* name, auto& value) {
      json.at("options").at(name).get_to(value);
    });
    info.state.step = json.at("step");
    resolved(info.options, info.plan);
    if (info.state.step < 0 || info.state.step > info.options.steps) {
      throw CheckpointError(file, "step",
                            "expected 0 to " + std::to_string(info.options.steps) + ", got " +
                                std::to_string(info.state.step));
    }
    info.state.recorded = json.at("recorded");
    if (info.state.recorded < 0 || info.state.recorded > info.state.step) {
      throw CheckpointError(file, "recorded",
                            "expected 0 to step, got " + std::to_string(info.state.recorded));
    }
    info.state.loss_sum = json.at("loss_sum");
    info.state.gradient_norm = json.at("gradient_norm");
    info.corpus_hash = json.at("corpus_hash");
    info.history = detail::history_from(json.at("history"), info.state.step);
    if (json.at("arrays") != nlohmann::json{"parameters", "first_moment", "second_moment"}) {
      throw CheckpointError(
          file, "arrays", "expected parameters and both moments, got " + json.at("arrays").dump());
    }
    Layout const layout = layout_of(info.plan);
    auto const& tensors = json.at("tensors");
    for (std::size_t i = 0; i < std::max(tensors.size(), layout.tensors.size()); ++i) {
      auto const wanted =
          i < layout.tensors.size() ? detail::json_of(layout.tensors[i]) : nlohmann::json();
      auto const got = i < tensors.size() ? tensors[i] : nlohmann::json();
      if (wanted != got) {
        throw CheckpointError(file, "tensors[" + std::to_string(i) + "]",
                              "expected " + wanted.dump() + " by the plan, got " + got.dump());
      }
    }
    auto const require = [&](char const* field, auto const& wanted) {
      if (json.at(field) != wanted) {
        throw CheckpointError(
            file, field,
            "expected " + nlohmann::json(wanted).dump() + ", got " + json.at(field).dump());
      }
    };
    require("elements", layout.size);
    require("parameters", parameters(info.plan, Count::all));
    require("data_position", data_position(info));
  } catch (nlohmann::json::exception const& error) {
    throw CheckpointError(file, "header", error.what());
  } catch (std::invalid_argument const& error) {
    throw CheckpointError(file, "header", error.what());
  }
  if (info.scalar != "float32" && info.scalar != "float64") {
    throw CheckpointError(file, "scalar", "expected float32 or float64, got " + info.scalar);
  }
  return info;
}

}  // namespace tailor
