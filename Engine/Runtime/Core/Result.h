// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `Result<T>` is a value or the `Error` that explains why there is none: a small subset of `std::expected`.
//
//     Result<Config> LoadConfig(const Path& path) {
//         Result<std::string> text = ReadTextFile(path, kMaxConfigBytes);
//         if (!text) {
//             return std::move(text).Failure();
//         }
//         return ParseConfig(*text);
//     }
//
// `Value()`, `*` and `->` assert that there is a value, `Failure()` that there is none. Results are plain values: no
// locks, no thread affinity.
#pragma once

#include "Core/Assert.h"
#include "Core/Error.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace muster {

template <class T>
class Result;

namespace detail {

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

template <class T, class U>
concept ResultValueSource = std::is_convertible_v<U&&, T> && !kIsResult<std::remove_cvref_t<U>> &&
                            !std::is_same_v<std::remove_cvref_t<U>, Error>;

}  // namespace detail

template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T> && !std::is_same_v<std::remove_cv_t<T>, Error>,
                "a Result holds a value, and an Error is no value");

 public:
  using ValueType = T;

  template <class U = T>
  requires detail::ResultValueSource<T, U> Result(U&& value)
      : m_state(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool HasValue() const noexcept { return m_state.index() == 0; }
  explicit operator bool() const noexcept { return HasValue(); }

  [[nodiscard]] T& Value() & {
    MUSTER_ASSERT(HasValue(), "value of a failed Result");
    return *std::get_if<0>(&m_state);
  }
  [[nodiscard]] const T& Value() const& {
    MUSTER_ASSERT(HasValue(), "value of a failed Result");
    return *std::get_if<0>(&m_state);
  }
  [[nodiscard]] T&& Value() && { return std::move(Value()); }

  [[nodiscard]] T& operator*() & { return Value(); }
  [[nodiscard]] const T& operator*() const& { return Value(); }
  [[nodiscard]] T&& operator*() && { return std::move(Value()); }
  [[nodiscard]] T* operator->() { return &Value(); }
  [[nodiscard]] const T* operator->() const { return &Value(); }

  [[nodiscard]] const Error& Failure() const& {
    MUSTER_ASSERT(!HasValue(), "error of a Result that holds a value");
    return *std::get_if<1>(&m_state);
  }
  [[nodiscard]] Error&& Failure() && {
    MUSTER_ASSERT(!HasValue(), "error of a Result that holds a value");
    return std::move(*std::get_if<1>(&m_state));
  }

  template <class U>
  [[nodiscard]] T ValueOr(U&& fallback) const& {
    return HasValue() ? Value() : static_cast<T>(std::forward<U>(fallback));
  }
  template <class U>
  [[nodiscard]] T ValueOr(U&& fallback) && {
    return HasValue() ? std::move(Value()) : static_cast<T>(std::forward<U>(fallback));
  }

  /// Calls `next(value)`, which returns a Result, or hands the error on.
  template <class F>
  [[nodiscard]] auto AndThen(F&& next) const& -> std::invoke_result_t<F, const T&> {
    static_assert(detail::kIsResult<std::invoke_result_t<F, const T&>>, "the next step returns a Result");
    if (!HasValue()) {
      return Failure();
    }
    return std::forward<F>(next)(Value());
  }
  template <class F>
  [[nodiscard]] auto AndThen(F&& next) && -> std::invoke_result_t<F, T&&> {
    static_assert(detail::kIsResult<std::invoke_result_t<F, T&&>>, "the next step returns a Result");
    if (!HasValue()) {
      return std::move(*this).Failure();
    }
    return std::forward<F>(next)(std::move(Value()));
  }

  /// Calls `change(value)`, which returns a plain value (or nothing), and wraps it; or hands the error on.
  template <class F>
  [[nodiscard]] auto Transform(F&& change) const& -> Result<std::remove_cvref_t<std::invoke_result_t<F, const T&>>>;
  template <class F>
  [[nodiscard]] auto Transform(F&& change) && -> Result<std::remove_cvref_t<std::invoke_result_t<F, T&&>>>;

 private:
  std::variant<T, Error> m_state;
};

/// Success without a value: `return {};`.
template <>
class [[nodiscard]] Result<void> {
 public:
  using ValueType = void;

  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  [[nodiscard]] bool HasValue() const noexcept { return !m_error.has_value(); }
  explicit operator bool() const noexcept { return HasValue(); }

  void Value() const { MUSTER_ASSERT(HasValue(), "value of a failed Result"); }

  [[nodiscard]] const Error& Failure() const& {
    MUSTER_ASSERT(!HasValue(), "error of a Result that holds a value");
    return *m_error;
  }
  [[nodiscard]] Error&& Failure() && {
    MUSTER_ASSERT(!HasValue(), "error of a Result that holds a value");
    return std::move(*m_error);
  }

  template <class F>
  [[nodiscard]] auto AndThen(F&& next) const -> std::invoke_result_t<F> {
    static_assert(detail::kIsResult<std::invoke_result_t<F>>, "the next step returns a Result");
    if (!HasValue()) {
      return Failure();
    }
    return std::forward<F>(next)();
  }

  template <class F>
  [[nodiscard]] auto Transform(F&& change) const -> Result<std::remove_cvref_t<std::invoke_result_t<F>>> {
    if (!HasValue()) {
      return Failure();
    }
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(change)();
      return {};
    } else {
      return std::forward<F>(change)();
    }
  }

 private:
  std::optional<Error> m_error;
};

template <class T>
template <class F>
auto Result<T>::Transform(F&& change) const& -> Result<std::remove_cvref_t<std::invoke_result_t<F, const T&>>> {
  if (!HasValue()) {
    return Failure();
  }
  if constexpr (std::is_void_v<std::invoke_result_t<F, const T&>>) {
    std::forward<F>(change)(Value());
    return {};
  } else {
    return std::forward<F>(change)(Value());
  }
}

template <class T>
template <class F>
auto Result<T>::Transform(F&& change) && -> Result<std::remove_cvref_t<std::invoke_result_t<F, T&&>>> {
  if (!HasValue()) {
    return std::move(*this).Failure();
  }
  if constexpr (std::is_void_v<std::invoke_result_t<F, T&&>>) {
    std::forward<F>(change)(std::move(Value()));
    return {};
  } else {
    return std::forward<F>(change)(std::move(Value()));
  }
}

}  // namespace muster
