package pool

import (
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/job"
)

// files lays out a root file system.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range content {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDetect(t *testing.T) {
	const meminfo = "MemTotal:       24684000 kB\nMemFree:  1 kB\nMemAvailable:   20000000 kB\n"
	tests := []struct {
		name   string
		files  map[string]string
		memory int64
		source string
	}{
		{"no cgroup", map[string]string{"proc/meminfo": meminfo}, 24684000 << 10, "meminfo"},
		{"version 2, limit in a parent", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/app/handler\n",
			"sys/fs/cgroup/app/handler/memory.max": "max\n", "sys/fs/cgroup/app/memory.max": "2147483648\n",
		}, 2 * job.GiB, "cgroup"},
		{"version 2 in a container, where the group is the root", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1610612736\n",
		}, 1610612736, "cgroup"},
		{"version 1", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "4294967296\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 4 * job.GiB, "cgroup"},
		{"version 1 without a limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 24684000 << 10, "meminfo"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if m := detect(files(t, test.files)); m.Memory != test.memory || m.Source != test.source {
				t.Errorf("detect = %d from %s, want %d from %s", m.Memory, m.Source, test.memory, test.source)
			}
		})
	}
}

func TestPressure(t *testing.T) {
	const plenty, short = "MemTotal: 1000 kB\nMemAvailable: 500 kB\n", "MemTotal: 1000 kB\nMemAvailable: 50 kB\n"
	tests := []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"plenty", map[string]string{"proc/meminfo": plenty, "proc/pressure/memory": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"}, false},
		{"stalled", map[string]string{"proc/meminfo": plenty, "proc/pressure/memory": "some avg10=31.25 avg60=9.00 avg300=0.00 total=9\n"}, true},
		{"little available", map[string]string{"proc/meminfo": short}, true},
		{"nothing known", nil, false},
	}
	for _, test := range tests {
		if got := (Machine{root: files(t, test.files)}).pressure(); got != test.want {
			t.Errorf("%s: pressure = %v", test.name, got)
		}
	}
}

// TestWantedSpares: spares follow the load between their bounds, and go under pressure.
func TestWantedSpares(t *testing.T) {
	p := New(Options{SparesMin: 1, SparesMax: 4, Machine: Machine{Cores: 4, Memory: 16 * job.GiB}}, nil)
	p.gate.running = map[*ticket]struct{}{}
	for _, test := range []struct {
		name     string
		running  int
		pressure bool
		want     int
	}{
		{"idle", 0, false, 1}, {"half busy", 2, false, 2}, {"busy", 4, false, 4}, {"busy under pressure", 4, true, 0},
	} {
		clear(p.gate.running)
		for range test.running {
			p.gate.running[&ticket{}] = struct{}{}
		}
		if got := p.wantedSpares(test.pressure); got != test.want {
			t.Errorf("%s: %d spares, want %d", test.name, got, test.want)
		}
	}
}
