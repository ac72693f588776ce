// Package pipelinetest is the suite that every set of adapters passes: in memory, on a folder, on Azure.
// Its Converter stands in for the real one where the journey is tested, not the formats.
package pipelinetest
