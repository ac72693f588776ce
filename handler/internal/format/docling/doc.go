// Package docling reads DoclingDocument JSON: what docling and the tools around it save, and what an outside converter that uses
// docling gives back (docs/outside-converters.md). Package decant/handler/internal/docling knows the schema.
package docling
