// Package subtitle reads WebVTT and SRT: one paragraph per cue with its time and speaker, notes left out.
package subtitle
