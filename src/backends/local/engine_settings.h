// Reads the `engine` section: what the local model is and how much of the machine it may use.
#pragma once

#include "engine/engine.h"
#include "platform/config/reader.h"

namespace stint::local {

// `model` stays as written: a catalogue name or a path; app turns it into a path.
engine::EngineSettings read_engine_settings(config::Section root);

}  // namespace stint::local
