// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/PluginGeneration.h"

#include <utility>

#include "GenerationInternals.h"

namespace muster::plugins {

PluginGeneration::PluginGeneration(std::unique_ptr<Internals> internals) : m_internals{std::move(internals)} {}
PluginGeneration::~PluginGeneration() = default;

const std::string& PluginGeneration::Id() const noexcept {
  return m_internals->source.descriptor.id;
}
GenerationNumber PluginGeneration::Number() const noexcept {
  return m_internals->number;
}
const Descriptor& PluginGeneration::Description() const noexcept {
  return m_internals->source.descriptor;
}
const PluginIdentity& PluginGeneration::Identity() const noexcept {
  return m_internals->identity;
}
const Sha256Digest& PluginGeneration::ContentHash() const noexcept {
  return m_internals->contentHash;
}
const std::filesystem::path& PluginGeneration::ShadowPath() const noexcept {
  return m_internals->shadowPath;
}
std::uint64_t PluginGeneration::AllocatedBytes() const noexcept {
  return m_internals->services->AllocatedBytes();
}

const void* PluginGeneration::Interface(std::string_view interfaceId) const noexcept {
  const auto found = m_internals->tables.find(interfaceId);
  return found == m_internals->tables.end() ? nullptr : found->second;
}

}  // namespace muster::plugins
