// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "World/Columns.h"

#include "Core/Assert.h"
#include "Core/Bytes.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace muster::world {

ColumnIndex ColumnRegistry::AddRaw(ColumnOptions options, std::size_t elementBytes, std::size_t alignmentBytes) {
  MUSTER_ASSERT_ALWAYS(elementBytes > 0 && std::has_single_bit(alignmentBytes) && alignmentBytes <= kCacheLineBytes &&
                           elementBytes % alignmentBytes == 0,
                       "a column's alignment is a power of two up to a cache line and divides its element size");
  const bool isNew = std::none_of(m_descriptors.begin(), m_descriptors.end(),
                                  [&](const ColumnDescriptor& known) { return known.name == options.name; });
  MUSTER_ASSERT_ALWAYS(isNew, "two columns of one name");
  m_descriptors.push_back({std::move(options.name), elementBytes, alignmentBytes, options.isState});
  return static_cast<ColumnIndex>(m_descriptors.size() - 1);
}

}  // namespace muster::world
