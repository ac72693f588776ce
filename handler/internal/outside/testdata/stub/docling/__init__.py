"""A stand-in for docling that needs no models: only what the worker calls."""
