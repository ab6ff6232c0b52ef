#pragma once
// The whole loop in one folder: reference, profile, widths, runs, results. What is finished there
// is not done again.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tailor/arch/plan.hpp>               // tailor::Plan
#include <tailor/study/allocate_profile.hpp>  // tailor::AllocationOptions
#include <tailor/study/rule.hpp>              // tailor::Rule
#include <tailor/train/corpus.hpp>            // tailor::Corpus

#include "engine.hpp"
#include "progress.hpp"

namespace tailor_program {

/// A rule and the seeds it is trained with.
struct RuleSeeds {
  tailor::Rule rule;
  std::vector<std::uint64_t> seeds;
};

struct FitOptions {
  std::filesystem::path out;
  std::string command;  ///< as typed
  tailor::Plan reference;
  std::vector<RuleSeeds> rules;
  std::uint64_t reference_seed = 0;  ///< of the measured model and the choice of rates
  std::int64_t tokens = 0;           ///< per run; 0: as many as `minutes` allows
  double minutes = 6;                ///< for everything, where `tokens` is 0
  tailor::TrainOptions training;     ///< batch and optimizer; steps, rate and seed are set per run
  std::vector<double> rates;         ///< peak rates to choose from; empty: the default for the size
  std::int64_t evaluation_windows = 512;
  ProfileOptions profile;
  tailor::AllocationOptions allocation;
  int threads = 0;
  int side_by_side = 0;  ///< runs at a time; 0: one per thread
};

/// Does all that is missing in `options.out` and returns the contents of results.json.
/// Throws std::invalid_argument where the folder holds a fit with other options, Interrupted after
/// Ctrl-C, with everything saved.
nlohmann::json fit(FitOptions const& options, tailor::Corpus const& corpus,
                   nlohmann::json const& text, Progress& progress);

}  // namespace tailor_program
