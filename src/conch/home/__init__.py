"""One person's home on disk: paths, whole-or-nothing writes, journals, stores, seals, the clock.

The room does not know what is stored.
"""
