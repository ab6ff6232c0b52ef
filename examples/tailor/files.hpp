#pragma once
// JSON files in and out, each failure one message that names the file.

#include <filesystem>
#include <nlohmann/json.hpp>

#include <tailor/arch/plan.hpp>  // tailor::Plan

namespace tailor_program {

/// Throws std::invalid_argument: unreadable, or not JSON and where.
nlohmann::json read_json(std::filesystem::path const& file);

/// Written whole or not at all.
void write_json(std::filesystem::path const& file, nlohmann::json const& content);

/// A plan that is valid; std::invalid_argument names file and field.
tailor::Plan read_plan(std::filesystem::path const& file);

/// Creates a folder and those above it.
void make_folder(std::filesystem::path const& folder);

}  // namespace tailor_program
