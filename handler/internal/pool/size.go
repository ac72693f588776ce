package pool

import (
	"math"

	"decant/handler/internal/job"
)

// Machine is what there is to share out.
type Machine struct {
	Cores  int    `json:"cores"`
	Memory int64  `json:"memory"` // bytes
	Source string `json:"source"` // where Memory comes from: cgroup, meminfo, assumed, configured
	root   string // of the file system that it was read from
}

const (
	// handlerMemory is kept for the handler itself and for the host beside it.
	handlerMemory = 256 * job.MiB
	// hostBatchLimit is the largest batchSize that the queue trigger takes.
	hostBatchLimit = 32
)

// Sizing is how a machine is shared out. `decant config` prints it, and the Bicep follows the same rule.
type Sizing struct {
	Machine       Machine `json:"machine"`
	Budget        int64   `json:"budget"`        // bytes of memory for all children together
	Cap           int64   `json:"cap"`           // bytes of memory of one child
	Slots         int     `json:"slots"`         // conversions at once: min(configured, cores × factor, budget / cap), at least 1
	BytesInFlight int64   `json:"bytesInFlight"` // bytes of input of all running documents
	Waiting       int     `json:"waiting"`       // documents that may wait for a slot
	Transfers     int     `json:"transfers"`     // downloads and uploads at once
	SparesMin     int     `json:"sparesMin"`
	SparesMax     int     `json:"sparesMax"`

	// BatchSize and NewBatchThreshold are for host.json. The host runs up to their sum at once: one for each slot, and half as
	// many again that are being fetched or written meanwhile. The sum never exceeds Slots + Waiting, so nothing is refused.
	BatchSize         int `json:"batchSize"`
	NewBatchThreshold int `json:"newBatchThreshold"`
}

// Size shares a machine out.
func Size(o Options, m Machine) Sizing {
	s := Sizing{Machine: m, Cap: o.Cap, Budget: o.Memory, SparesMin: o.SparesMin}
	if s.Cap <= 0 {
		s.Cap = job.Limits{}.Normalize().Memory
	}
	if s.Budget <= 0 {
		s.Budget = max(0, m.Memory-handlerMemory) / 10 * 9
	}
	s.Slots = max(1, min(byCores(o, m), int(s.Budget/s.Cap)))
	if o.Slots > 0 {
		s.Slots = min(s.Slots, o.Slots)
	}
	s.Budget = max(s.Budget, s.Cap) // one document is always admitted
	s.BatchSize = min(s.Slots, hostBatchLimit)
	s.NewBatchThreshold = (s.Slots + 1) / 2
	s.BytesInFlight = orElse(o.BytesInFlight, max(s.Budget/4, 64*job.MiB))
	s.Waiting = max(o.Waiting, s.NewBatchThreshold+s.BatchSize-s.Slots)
	if o.Waiting <= 0 {
		s.Waiting = 4*s.Slots + hostBatchLimit
	}
	s.Transfers = orElse(o.Transfers, 2*s.Slots+2)
	s.SparesMax = max(o.SparesMin, spareRoom(o, s))
	return s
}

func byCores(o Options, m Machine) int {
	factor := o.CoresFactor
	if factor <= 0 {
		factor = 1
	}
	return max(1, int(math.Round(float64(m.Cores)*factor)))
}

// spareRoom is how many warm spares of about 64 MiB each the budget bears beside full slots: none on small instances.
func spareRoom(o Options, s Sizing) int {
	if o.SparesMax < 0 {
		return 0
	}
	room := int((s.Budget - int64(s.Slots)*s.Cap) / (64 * job.MiB))
	return max(0, min(orElse(o.SparesMax, s.Slots), room))
}

func orElse[T int | int64](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}
