#include "plan_flags.hpp"

#include <stdexcept>

#include <tailor/arch/names.hpp>     // tailor::from_name, tailor::names_of
#include <tailor/arch/plan_of.hpp>   // tailor::uniform_plan
#include <tailor/arch/validate.hpp>  // tailor::validate

#include "files.hpp"

namespace tailor_program {
namespace {

template <class Enum>
Enum parsed(char const* flag, std::string const& name) {
  if (auto const value = tailor::from_name<Enum>(name)) return *value;
  std::string known;
  for (auto const& each : tailor::names_of<Enum>()) {
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  throw std::invalid_argument(std::string(flag) + ": \"" + name + "\" is none of " + known);
}

}  // namespace

void PlanFlags::add_to(CLI::App& command) {
  char const* const group = "Model";
  command.add_option("--plan", file, "plan.json of the model; replaces the sizes below")
      ->group(group);
  command.add_option("--d-model", dims.d_model, "residual width")
      ->capture_default_str()
      ->group(group);
  command.add_option("--layers", dims.layers, "layers")->capture_default_str()->group(group);
  command.add_option("--width", width, "FFN width of every layer")
      ->capture_default_str()
      ->group(group);
  command.add_option("--heads", dims.heads, "attention heads; 0: no attention")
      ->capture_default_str()
      ->group(group);
  command.add_option("--kv-heads", dims.kv_heads, "key and value heads; 0: as many as heads")
      ->capture_default_str()
      ->group(group);
  command.add_option("--head-dim", dims.head_dim, "width of a head; 0: d-model / heads")
      ->capture_default_str()
      ->group(group);
  command.add_option("--context", dims.context, "tokens the model sees at once")
      ->capture_default_str()
      ->group(group);
  command.add_option("--activation", activation, "swiglu, geglu, gelu or relu2")
      ->capture_default_str()
      ->group(group);
  command.add_option("--norms", norms, "pre, post or both")->capture_default_str()->group(group);
  command.add_option("--qk-norm", qk_norm, "none, whole or per_head")
      ->capture_default_str()
      ->group(group);
  command.add_option("--layer-norm-scaling", layer_norm_scaling, "none, by_layer or by_sub_block")
      ->capture_default_str()
      ->group(group);
  command.add_flag("--untied", untied, "an output head of its own")->group(group);
}

int PlanFlags::context() const {
  return file.empty() ? dims.context : read_plan(file).context;
}

tailor::Plan PlanFlags::plan(int vocab) const {
  if (!file.empty()) {
    tailor::Plan const plan = read_plan(file);
    if (plan.vocab < vocab) {
      throw std::invalid_argument(file + ": vocab: the text needs " + std::to_string(vocab) +
                                  " or more, got " + std::to_string(plan.vocab));
    }
    return plan;
  }
  tailor::Dims sizes = dims;
  sizes.vocab = vocab;
  sizes.tied = !untied;
  sizes.activation = parsed<tailor::Activation>("--activation", activation);
  sizes.norms = parsed<tailor::NormPlacement>("--norms", norms);
  sizes.qk_norm = parsed<tailor::QkNorm>("--qk-norm", qk_norm);
  sizes.layer_norm_scaling =
      parsed<tailor::LayerNormScaling>("--layer-norm-scaling", layer_norm_scaling);
  if (sizes.layers < 1) throw std::invalid_argument("--layers: must be at least 1");
  if (sizes.heads < 0) throw std::invalid_argument("--heads: must not be negative");
  if (sizes.heads > 0 && sizes.head_dim == 0 && sizes.d_model % sizes.heads != 0) {
    throw std::invalid_argument("--heads: must divide --d-model " + std::to_string(sizes.d_model) +
                                " where --head-dim is not given, got " +
                                std::to_string(sizes.heads));
  }
  tailor::Plan const plan = tailor::uniform_plan(sizes, width);
  tailor::validate(plan);
  return plan;
}

}  // namespace tailor_program
