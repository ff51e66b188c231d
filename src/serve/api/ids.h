// Ids of answers and requests, in the form the providers give them. Randomness comes from the caller; as thread-safe as
// that is. Unguessable is not a goal; unique is: 24 characters of 62 make two equal ones in a billion answers less
// likely than 1e-24.
#pragma once

#include <string>

#include "chat/request.h"
#include "platform/base/random.h"

namespace stint::api {

// "msg_", "chatcmpl-" or "cmpl-" and 24 letters and digits.
std::string answer_id(chat::DialectId dialect, chat::CallKind kind, base::Random& random);
// "req_" and 24 letters and digits: the `request-id` of every answer.
std::string request_id(base::Random& random);

}  // namespace stint::api
