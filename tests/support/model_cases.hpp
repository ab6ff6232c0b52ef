#pragma once
// Small plans that between them have every shape, activation, norm order and kind of attention, and
// a batch with a model for each.

#include <tailor/arch/plan_of.hpp>    // tailor::plan_of, tailor::uniform_plan
#include <tailor/nn/transformer.hpp>  // tailor::Model, tailor::Workspace, tailor::TokenBatch

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cases {

using namespace tailor;

inline constexpr Dims small{.d_model = 8, .layers = 2, .heads = 2, .vocab = 11, .context = 12};

struct Case {
  std::string name;
  Plan plan;
};

/// Every case of the gradient checks.
inline std::vector<Case> all() {
  std::vector<Case> cases;
  auto const add = [&](char const* name, std::function<void(Plan&)> const& change) {
    Plan plan = uniform_plan(small, 6);
    change(plan);
    cases.push_back({name, plan});
  };
  auto const each = [](Plan& plan, auto const& change) {
    for (auto& layer : plan.layers) change(layer);
  };
  add("conventional", [](Plan&) {});
  add("hourglass of 2", [](Plan& plan) { plan = plan_of(small, {{5, 5}, {5, 5}}); });
  add("hourglass of 3", [](Plan& plan) { plan = plan_of(small, {{3, 3, 3}, {3, 3, 3}}); });
  add("layerwise with a zero width", [](Plan& plan) { plan = plan_of(small, {{0}, {9}}); });
  add("a shape per layer", [](Plan& plan) { plan = plan_of(small, {{3, 0, 5}, {7}}); });
  add("no FFN at all", [](Plan& plan) { plan = plan_of(small, {{}, {}}); });
  add("geglu", [](Plan& plan) { plan.activation = Activation::geglu; });
  add("gelu", [](Plan& plan) { plan.activation = Activation::gelu; });
  add("relu2", [](Plan& plan) { plan.activation = Activation::relu2; });
  for (auto norms : {NormPlacement::post, NormPlacement::both}) {
    bool const post = norms == NormPlacement::post;
    add(post ? "post norms" : "norms before and after",
        [&](Plan& plan) { each(plan, [&](LayerPlan& layer) { layer.norms = norms; }); });
    add(post ? "post norms, hourglass" : "norms before and after, hourglass", [&](Plan& plan) {
      plan = plan_of(small, {{3, 4}, {5}});
      each(plan, [&](LayerPlan& layer) { layer.norms = norms; });
    });
  }
  for (auto kind : {QkNorm::whole, QkNorm::per_head}) {
    bool const whole = kind == QkNorm::whole;
    add(whole ? "QK-norm over the whole vector" : "QK-norm per head",
        [&](Plan& plan) { each(plan, [&](LayerPlan& layer) { layer.qk_norm = kind; }); });
    add(whole ? "QK-norm whole, grouped queries" : "QK-norm per head, grouped queries",
        [&](Plan& plan) {
          each(plan, [&](LayerPlan& layer) {
            layer.heads = 4, layer.kv_heads = 2, layer.head_dim = 6, layer.qk_norm = kind;
          });
        });
  }
  add("grouped queries", [&](Plan& plan) {
    each(plan, [](LayerPlan& layer) { layer.heads = 4, layer.kv_heads = 2; });
  });
  add("one key head", [&](Plan& plan) {
    each(plan, [](LayerPlan& layer) { layer.heads = 3, layer.kv_heads = 1, layer.head_dim = 2; });
  });
  add("a window in one layer, two rotary bases", [](Plan& plan) {
    plan.layers[0].window = 3;
    plan.layers[1].rope_base = 100;
  });
  add("a layer without attention", [](Plan& plan) {
    plan.layers[1].heads = plan.layers[1].kv_heads = plan.layers[1].head_dim = 0;
  });
  add("no attention at all", [&](Plan& plan) {
    each(plan, [](LayerPlan& layer) { layer.heads = layer.kv_heads = layer.head_dim = 0; });
  });
  add("soft caps", [](Plan& plan) { plan.attention_soft_cap = 1.5, plan.logit_soft_cap = 2; });
  add("untied", [](Plan& plan) { plan.tied = false; });
  add("embedding scale, gains stored as differences from one", [](Plan& plan) {
    plan.embedding_scale = 3;
    plan.unit_offset_gains = true;
  });
  for (auto scaling : {LayerNormScaling::by_layer, LayerNormScaling::by_sub_block}) {
    add(scaling == LayerNormScaling::by_layer ? "LayerNorm Scaling by layer"
                                              : "LayerNorm Scaling by sub-block",
        [&](Plan& plan) {
          plan = plan_of(small, {{3, 4}, {5}});
          plan.layer_norm_scaling = scaling;
        });
  }
  add("everything of Gemma", [&](Plan& plan) {
    plan = plan_of(small, {{5}, {4}});
    plan.activation = Activation::geglu;
    plan.unit_offset_gains = true;
    plan.embedding_scale = 2.8;
    plan.attention_soft_cap = 2, plan.logit_soft_cap = 3;
    each(plan, [](LayerPlan& layer) {
      layer.norms = NormPlacement::both, layer.qk_norm = QkNorm::per_head;
      layer.heads = 4, layer.kv_heads = 2, layer.head_dim = 4;
    });
    plan.layers[0].window = 2;
  });
  return cases;
}

/// A model with weights large enough that no path is lost beside the residual stream, a batch, and
/// a workspace.
template <class T, class D>
struct Run {
  D& dev;
  Model<T, D> model;
  Workspace<T, D> workspace;
  BufferOf<T, D> gradients, losses;
  std::vector<std::int32_t> ids, targets;
  int sequences, length;

  Run(D& device, Plan const& plan, int sequences_ = 2, int length_ = 6,
      Purpose purpose = Purpose::training)
      : dev(device),
        model(build<T>(dev, plan, {.seed = 9, .deviation = 0.4})),
        workspace(dev, plan, sequences_, length_, purpose),
        gradients(buffer<T>(dev, model.layout.size)),
        losses(buffer<T>(dev, std::int64_t{sequences_} * length_)),
        sequences(sequences_),
        length(length_) {
    for (int i = 0; i < sequences * length; ++i) {
      ids.push_back((i * i + 3 * i / 2) % plan.vocab);
      targets.push_back((5 * i + 1) % plan.vocab);
    }
    // Gains differ from one, so that a norm that forgets its gain is seen.
    for (auto const& tensor : model.layout.tensors) {
      if (tensor.role != Role::gain) continue;
      for (std::int64_t i = 0; i < tensor.size(); ++i) {
        model.parameters.view()[tensor.offset + i] += T(0.1) * T(i % 5) - T(0.2);
      }
    }
  }

  TokenBatch<typename D::Space> batch() const {
    return {.ids = {ids.data(), std::int64_t(ids.size())},
            .targets = {targets.data(), std::int64_t(targets.size())},
            .sequences = sequences,
            .length = length};
  }
  double loss() {
    token_losses(dev, model, batch(), workspace, losses.view());
    double sum = 0;
    for (std::int64_t i = 0; i < losses.size(); ++i) sum += losses.view()[i];
    return sum;
  }
  void differentiate(double scale = 1) {
    loss_and_gradients(dev, model, batch(), workspace, gradients.view(), T(scale), losses.view());
  }
};

}  // namespace cases
