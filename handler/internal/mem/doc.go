// Package mem keeps records, chunks, source files, results and messages in memory: the ports of the pipeline for tests,
// held to the same suite as the real ones (pipeline/pipelinetest).
package mem
