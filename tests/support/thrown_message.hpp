#pragma once
// What an exception says, the same under both versions of Catch2.

#include <string>

/// The message of the Exception that `call` throws, or a sentence that says it threw none.
template <class Exception, class Call>
std::string thrown_message(Call call) {
  try {
    call();
  } catch (Exception const& exception) {
    return exception.what();
  }
  return "nothing of this type was thrown";
}

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
