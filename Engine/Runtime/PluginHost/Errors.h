// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Every way a plugin can fail to be found, resolved, loaded, called or replaced. Numbers are stable; tests and tools
// match on them.
#pragma once

#include "Core/Error.h"

namespace muster::plugins {

// The descriptor and where it lies.
inline constexpr ErrorCode kPluginNotFound{1001, "PluginNotFound"};
inline constexpr ErrorCode kDescriptorNotJson{1002, "DescriptorNotJson"};
inline constexpr ErrorCode kDescriptorInvalid{1003, "DescriptorInvalid"};  ///< against the schema, with a JSON pointer
inline constexpr ErrorCode kIdMismatch{1004, "IdMismatch"};                ///< folder, descriptor and library disagree
inline constexpr ErrorCode kDuplicateId{1005, "DuplicateId"};
inline constexpr ErrorCode kUnsafePath{1007, "UnsafePath"};  ///< others could have put the file there
inline constexpr ErrorCode kReservedName{1008, "ReservedName"};
inline constexpr ErrorCode kRootUnreadable{1009, "RootUnreadable"};

// What plugins ask of each other.
inline constexpr ErrorCode kDependencyMissing{1101, "DependencyMissing"};
inline constexpr ErrorCode kVersionOutOfRange{1102, "VersionOutOfRange"};
inline constexpr ErrorCode kCyclicDependency{1103, "CyclicDependency"};
inline constexpr ErrorCode kConflict{1104, "Conflict"};
inline constexpr ErrorCode kNoProvider{1105, "NoProvider"};
inline constexpr ErrorCode kLockMismatch{1107, "LockMismatch"};

// The library as a file.
inline constexpr ErrorCode kNoLibraryForPlatform{1201, "NoLibraryForPlatform"};
inline constexpr ErrorCode kNotALibrary{1202, "NotALibrary"};  ///< no ELF shared object, or cut short
inline constexpr ErrorCode kNoteMissing{1203, "NoteMissing"};  ///< a library, but none of Muster's plugins
inline constexpr ErrorCode kWrongMachine{1204, "WrongMachine"};
inline constexpr ErrorCode kUndefinedSymbol{1205, "UndefinedSymbol"};
inline constexpr ErrorCode kEntryMissing{1206, "EntryMissing"};
inline constexpr ErrorCode kExtraExports{1207, "ExtraExports"};          ///< a warning
inline constexpr ErrorCode kForbiddenLinkage{1208, "ForbiddenLinkage"};  ///< asks the loader for what is never allowed
inline constexpr ErrorCode kNotUnloadable{1209, "NotUnloadable"};
inline constexpr ErrorCode kHashMismatch{1210, "HashMismatch"};
inline constexpr ErrorCode kLoadFailed{1211, "LoadFailed"};  ///< the dynamic loader's own words are the cause
inline constexpr ErrorCode kCacheUnusable{1212, "CacheUnusable"};
inline constexpr ErrorCode kDamagedLibrary{1213, "DamagedLibrary"};  ///< its tables contradict each other

// The library as a partner.
inline constexpr ErrorCode kApiLevel{1301, "ApiLevel"};
inline constexpr ErrorCode kLayoutMismatch{1302, "LayoutMismatch"};
inline constexpr ErrorCode kStructTooSmall{1303, "StructTooSmall"};
inline constexpr ErrorCode kFunctionMissing{1304, "FunctionMissing"};
inline constexpr ErrorCode kToolchainDiffers{1305, "ToolchainDiffers"};  ///< a warning, an error when strict
inline constexpr ErrorCode kSanitizerMismatch{1306, "SanitizerMismatch"};

// Running it.
inline constexpr ErrorCode kInitFailed{1401, "InitFailed"};
inline constexpr ErrorCode kCreateFailed{1402, "CreateFailed"};
inline constexpr ErrorCode kPluginException{1403, "PluginException"};
inline constexpr ErrorCode kPluginCallFailed{1411, "PluginCallFailed"};  ///< an error status that is no exception

// Replacing it.
inline constexpr ErrorCode kNotReloadable{1501, "NotReloadable"};
inline constexpr ErrorCode kImageStillMapped{1507, "ImageStillMapped"};
inline constexpr ErrorCode kStillReferenced{1508, "StillReferenced"};

}  // namespace muster::plugins
