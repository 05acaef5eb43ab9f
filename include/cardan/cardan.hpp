// Everything: describe or read a mechanism, run it, receive the samples.
#pragma once

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/csv_sink.hpp"
#include "cardan/ensemble.hpp"
#include "cardan/formats.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "cardan/scene.hpp"
#include "cardan/simulation.hpp"
#include "cardan/specs/air_spring.hpp"
#include "cardan/specs/hydraulics.hpp"
#include "cardan/specs/pid.hpp"
#include "cardan/specs/slip_tyre.hpp"
#include "cardan/system.hpp"
#include "cardan/version.h"
