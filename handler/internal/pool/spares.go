package pool

import "time"

// adapt keeps as many spares as load and memory allow until the pool is drained.
func (p *Pool) adapt(sparer Sparer) {
	tick := time.NewTicker(p.options.Adapt)
	defer tick.Stop()
	defer sparer.SetSpares(0)
	for {
		sparer.SetSpares(p.wantedSpares(p.options.Machine.pressure()))
		select {
		case <-tick.C:
		case <-p.stop:
			return
		}
	}
}

// wantedSpares is none under memory pressure, the minimum when idle, and up to the maximum as the last minute was busier.
func (p *Pool) wantedSpares(pressure bool) int {
	if pressure {
		return 0
	}
	running, waiting, _, memory := p.gate.load()
	if memory >= p.size.Budget { // a document that runs alone has it all
		return 0
	}
	busy := p.stats.busy.share(time.Minute)
	if running+waiting > 0 {
		busy = max(busy, float64(running+waiting)/float64(p.size.Slots))
	}
	grown := int(busy*float64(p.size.SparesMax) + 0.5)
	return min(p.size.SparesMax, max(p.size.SparesMin, grown))
}

func (p *Pool) endAdapting() {
	p.stopped.Do(func() { close(p.stop) })
	p.adapting.Wait()
}
