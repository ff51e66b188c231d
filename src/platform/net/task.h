// Everything a module needs to write asynchronous code, without a socket in sight.
//
//   Task<T>          a coroutine: lazy, one awaiter, move-only                     coroutine.h
//   Notify, Latch    condition variable and one-time event of one loop             notify.h
//   sleep_until, current_scope, yield                                              await.h
//   TaskGroup, race  children side by side; losers are cancelled and joined        task_group.h, race.h
//   offload          a bounded CPU job on a Worker thread                          worker.h
//   Loop             the thread that runs it all; all deadlines in one heap        loop.h
//
// Cancellation. A suspended coroutine is never destroyed. Every Task runs in a CancelScope; cancelling the scope
// completes all its leaf awaits at once (wait() and sleep_until() give false, stream operations an error of kind
// cancelled), and every later leaf await in that scope completes immediately too. Code therefore unwinds through its
// ordinary error paths, and whoever cancels waits for the end (race, TaskGroup::join, Loop::shutdown). Clean-up must
// not await; what has to outlive a cancelled task is spawned on the loop as a root of its own. A task that gets `false`
// and must know why asks `(co_await current_scope()).cancelled()`.
//
// Rules: no reference parameters to temporaries in coroutines that are stored before they are awaited; no lambda
// coroutines with captures (captures die with the lambda, before the frame); no mutex held over co_await; every await
// has a deadline or an owner that cancels.
#pragma once

#include "platform/net/await.h"       // IWYU pragma: export
#include "platform/net/coroutine.h"   // IWYU pragma: export
#include "platform/net/loop.h"        // IWYU pragma: export
#include "platform/net/notify.h"      // IWYU pragma: export
#include "platform/net/race.h"        // IWYU pragma: export
#include "platform/net/task_group.h"  // IWYU pragma: export
#include "platform/net/worker.h"      // IWYU pragma: export
