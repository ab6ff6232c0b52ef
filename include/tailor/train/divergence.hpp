#pragma once
// Where a step went wrong: the first place whose numbers are not finite.

#include <tailor/device/device.hpp>   // tailor::Device
#include <tailor/nn/model.hpp>        // tailor::Model
#include <tailor/nn/transformer.hpp>  // tailor::token_losses
#include <tailor/train/trainer.hpp>   // tailor::Trainer

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailor {

namespace detail {

/// Whether `size` elements on the device are all finite.
template <class T, Device D>
bool all_finite(D& dev, T const* data, std::int64_t size) {
  std::vector<T> host(static_cast<std::size_t>(size));
  download(dev, VectorView<T const, typename D::Space>{data, size}, std::span<T>(host));
  return std::all_of(host.begin(), host.end(), [](T x) { return x - x == 0; });
}

}  // namespace detail

/// The first place of the next step of `trainer` that is not finite, in words: a parameter, else
/// the activations of a layer, else the gradient the backward pass meets first.
/// Cost:   one forward and backward pass; allocates.
template <class T, Device D>
std::string first_non_finite(D& dev, Trainer<T, D>& trainer) {
  auto& model = trainer.model();
  auto const& tensors = model.layout.tensors;
  for (auto const& tensor : tensors) {
    if (!detail::all_finite<T>(dev, model.parameters.view().data + tensor.offset, tensor.size())) {
      return "the parameter " + tensor.name;
    }
  }
  Workspace<T, D> forward(dev, model.plan, trainer.options().sequences, trainer.options().length,
                          Purpose::inference);
  for (int part = 0; part < trainer.options().accumulate; ++part) {
    std::string place;
    auto const look = [&](int layer, auto const& before, auto const& after) {
      if (!place.empty()) return;
      auto const finite = [&](auto const& x) {
        return detail::all_finite<T>(dev, x.data, std::int64_t(x.rows) * x.cols);
      };
      if (!finite(before)) {
        place = "what enters the FFN of layer " + std::to_string(layer);
      } else if (!finite(after)) {
        place = "the output of the FFN of layer " + std::to_string(layer);
      }
    };
    auto const losses = trainer.losses(part);
    token_losses(dev, model, trainer.load(dev, part), forward, losses, look);
    if (!place.empty()) return place;
    if (!detail::all_finite<T>(dev, losses.data, losses.size)) return "the loss";
  }
  trainer.accumulate_gradients(dev);
  auto const bad = std::find_if(tensors.rbegin(), tensors.rend(), [&](TensorSpec const& tensor) {
    return !detail::all_finite<T>(dev, trainer.gradients().data + tensor.offset, tensor.size());
  });
  return bad == tensors.rend() ? "the norm of the gradient" : "the gradient of " + bad->name;
}

}  // namespace tailor
