// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace muster::test {

/// A fixture with a private directory that is removed after the test.
class TemporaryDirectoryTest : public ::testing::Test {
 protected:
  [[nodiscard]] const std::filesystem::path& Directory() const { return m_directory.Path(); }

  /// Writes a file below the directory, with the folders on its way, and returns its path.
  std::filesystem::path WriteFile(const std::filesystem::path& relative, std::string_view text) const {
    const std::filesystem::path path = Directory() / relative;
    std::filesystem::create_directories(path.parent_path());
    if (const Result<void> written = WriteFileAtomically(path, text); !written) {
      throw std::runtime_error(written.Failure().ToString());
    }
    return path;
  }

 private:
  static TemporaryDirectory Make() {
    Result<TemporaryDirectory> made = TemporaryDirectory::Create("muster-test");
    if (!made) {
      throw std::runtime_error(made.Failure().ToString());
    }
    return std::move(*made);
  }

  TemporaryDirectory m_directory = Make();
};

}  // namespace muster::test
