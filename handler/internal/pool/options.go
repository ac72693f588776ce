package pool

import (
	"context"
	"log/slog"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
)

// Converter converts one document in a process of its own; *child.Runner is one.
// Its error is nil or has a fault.Kind.
type Converter interface {
	Convert(context.Context, job.Request) (job.Result, job.Usage, error)
}

// BatchConverter is a Converter that can give one process several documents, one after the other.
type BatchConverter interface {
	ConvertBatch([]child.Item, child.Done)
}

// Sparer is a Converter that keeps warm processes.
type Sparer interface {
	SetSpares(int)
	Spares() int
}

// Options are the settings of a Pool. The zero value takes everything from the machine.
type Options struct {
	Slots         int     // most conversions at once; 0: as many as cores and memory allow
	CoresFactor   float64 // conversions per core; default 1
	Memory        int64   // bytes for all children together; default nine tenths of the machine's, less 256 MiB
	Cap           int64   // bytes for one child; default job.Limits' default
	BytesInFlight int64   // bytes of input being converted; default a quarter of Memory
	Waiting       int     // documents that may wait; never fewer than the host can send; default 4 × slots + 32
	MaxWait       time.Duration
	Transfers     int // downloads and uploads at once; default 2 × slots + 2
	DrainTimeout  time.Duration
	// DocumentsPerProcess lets waiting documents share a process, one after the other. Default 1: none does.
	DocumentsPerProcess int
	SparesMin           int // warm spares that are kept when there is no load and no memory pressure
	SparesMax           int // warm spares under load; 0: as many as slots if memory allows; -1: none beyond SparesMin
	// Adapt is how often spares are adapted to load and pressure. Default 2 s.
	Adapt time.Duration
	// Machine overrides what is detected, when its Cores are set.
	Machine Machine
	// Log gets retries and drains. Default: none.
	Log *slog.Logger
}

// Defaults of durations.
const (
	DefaultMaxWait      = 30 * time.Minute
	DefaultDrainTimeout = 25 * time.Second
)

func (o Options) withDefaults() Options {
	if o.MaxWait <= 0 {
		o.MaxWait = DefaultMaxWait
	}
	if o.DrainTimeout <= 0 {
		o.DrainTimeout = DefaultDrainTimeout
	}
	if o.Adapt <= 0 {
		o.Adapt = 2 * time.Second
	}
	if o.Machine.Cores <= 0 {
		o.Machine = Detect()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
