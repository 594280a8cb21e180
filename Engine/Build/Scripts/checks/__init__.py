# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Checks of the tree that a compiler does not make. Each module has `check(tree)`, which returns findings as text."""
