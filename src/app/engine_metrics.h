// Exports the engine's statistics as metrics, read whenever the registry is collected. The slot must outlive the
// registry's last collect; both live on the io thread.
#pragma once

#include "backends/local/engine_slot.h"
#include "platform/observe/registry.h"

namespace stint::app {

void export_engine_stats(observe::Registry& registry, const local::EngineSlot& slot);

}  // namespace stint::app
