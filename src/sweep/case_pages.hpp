// Pages of single runs beside the report of a sweep, each with the animation of the run: what a click on a case opens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sweep/run_maker.hpp"
#include "sweep/sweep_folder.hpp"

namespace cardan {

class CasePages {
 public:
  /// `report`: the file of the report; pages go into the folder REPORT-cases beside it.
  CasePages(const SweepPlan& plan, const SweepFolder& folder, const std::filesystem::path& report);

  /// The address of the run's page as seen from the report, written unless it is there; `run` counts from 1. Runs without
  /// a trajectory are made again. Empty where there is nothing to show.
  std::string address(std::uint64_t run, const std::string& what, RunMaker& maker);

 private:
  const SweepPlan& plan_;
  const SweepFolder& folder_;
  std::filesystem::path pages_;
  std::map<std::uint64_t, std::string> known_;
};

}  // namespace cardan
