#pragma once
// The host library, whole: architectures, allocation, the CPU device, geometry, models, training
// and comparisons. Training brings in nlohmann-json for its checkpoints; include the parts you need
// where that is too much.

#include <tailor/allocation.hpp>              // allocate, header_text
#include <tailor/arch.hpp>                    // Transformer, Plan, budgets, schedules, search
#include <tailor/cpu.hpp>                     // cpu::Device
#include <tailor/geometry.hpp>                // distances, work, measure, rips_h1, wasserstein2
#include <tailor/nn/generate.hpp>             // generate
#include <tailor/nn/model.hpp>                // build, Model
#include <tailor/nn/transformer.hpp>          // token_losses, loss_and_gradients
#include <tailor/study/allocate_profile.hpp>  // allocate(Profile)
#include <tailor/study/comparison.hpp>        // compare
#include <tailor/study/observe.hpp>           // observe
#include <tailor/study/rules.hpp>             // parse_rule, plan_for
#include <tailor/train/corpus.hpp>            // load_corpus, corpus_of
#include <tailor/train/evaluate.hpp>          // evaluate
#include <tailor/train/train.hpp>             // train
