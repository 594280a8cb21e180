# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# The module graph: data only. `muster_module(<Name> <layer> [<modules it may use>...])`.
# A module may use what stands on its line and nothing else; configure fails on any other edge, on an edge that does not
# go strictly down, and the architecture test compares the #include lines with the same lines.
# A new module gets a line here, a folder under Engine/Runtime or Engine/Developer, and a row in Docs/Architecture/Modules.md.

# Runtime: what a server or a client may link.
muster_module(Core          0)

muster_module(PluginApi     1)
muster_module(Serialization 1)
muster_module(Jobs          1 Core)
muster_module(Telemetry     1 Core)
muster_module(Config        1 Core)

muster_module(PluginHost    2 Core PluginApi Serialization Telemetry)
muster_module(World         2 Core PluginApi)
muster_module(Motion        2 Core)
muster_module(Level         2 Core Serialization)
muster_module(Protocol      2 Core Serialization PluginApi)
muster_module(Gpu           2 Core)

muster_module(Simulation    3 Core Jobs Telemetry PluginApi PluginHost World Motion Config)
muster_module(Link          3 Core Serialization Telemetry PluginApi PluginHost Protocol)
muster_module(Recording     3 Core Serialization World)
muster_module(Renderer      3 Core Jobs Gpu)
muster_module(DebugUi       3 Core Gpu Telemetry)

muster_module(Sessions      4 Core Serialization Telemetry Config PluginApi Protocol Link Simulation World)
muster_module(NetClient     4 Core Serialization PluginApi PluginHost Protocol Link Motion)

muster_module(Replication   5 Core Serialization Jobs Telemetry PluginApi PluginHost World Protocol Simulation Link
                              Sessions Config)

# Developer: what a shipped server never links. Layer 9 stands above every Runtime module.
muster_module(LinkSim           9 Core PluginApi Link)
muster_module(PluginConformance 9 Core PluginApi PluginHost Serialization)
muster_module(BenchKit          9 Core Jobs Telemetry)
