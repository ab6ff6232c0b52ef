#pragma once
// A model: a plan, where its tensors lie, and one arena of parameters on a device.

#include <tailor/arch/plan.hpp>          // tailor::Plan
#include <tailor/arch/transformer.hpp>   // tailor::Architecture, tailor::plan_of
#include <tailor/device/device.hpp>      // tailor::Device, tailor::BufferOf
#include <tailor/nn/initial_values.hpp>  // tailor::InitialValues
#include <tailor/nn/layout.hpp>          // tailor::Layout, tailor::layout_of

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tailor {

/// A Transformer language model on a device; weights are row-major [out, in].
template <class T, Device D>
struct Model {
  Plan plan;
  Layout layout;
  BufferOf<T, D> parameters;
};

/// Writes initial values over every parameter of the model.
/// Cost: one Philox block per element; on the device's host threads, one tensor in host memory.
template <class T, Device D>
void initialize(D& dev, Model<T, D>& model, InitOptions options = {}) {
  InitialValues const values(options, model.plan.unit_offset_gains);
  std::vector<T> host;
  for (auto const& tensor : model.layout.tensors) {
    host.resize(static_cast<std::size_t>(tensor.size()));
    T* const out = host.data();
    parallel(dev, tensor.rows, [&values, &tensor, out](std::int64_t row) {
      values.fill_row(tensor, static_cast<int>(row), out + row * tensor.cols);
    });
    upload(dev, std::span<T const>(host),
           VectorView<T, typename D::Space>{model.parameters.view().data + tensor.offset,
                                            tensor.size()});
  }
}

/// A model of this plan with all parameters zero. Throws std::invalid_argument for a plan that
/// validate refuses.
template <class T, Device D>
Model<T, D> blank_model(D& dev, Plan plan) {
  Layout layout = layout_of(plan);
  std::int64_t const size = layout.size;
  return {std::move(plan), std::move(layout), buffer<T>(dev, size)};
}

/// A model of this plan with initial values. Throws std::invalid_argument for a plan that validate
/// refuses.
/// @post the padding between tensors is zero
template <class T, Device D>
Model<T, D> build(D& dev, Plan plan, InitOptions options = {}) {
  auto model = blank_model<T>(dev, std::move(plan));
  initialize(dev, model, options);
  return model;
}

/// A model of this architecture with initial values: `build<float, Small>(device, {.seed = 1})`.
/// @post equals build of the architecture's plan
template <class T, Architecture Arch, Device D>
Model<T, D> build(D& dev, InitOptions options = {}) {
  return build<T>(dev, plan_of<Arch>(), options);
}

}  // namespace tailor
