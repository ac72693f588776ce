package app

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/doctor"
)

// TestSmokeAndDoctor runs both against the deployed zip behind the stand-in host, with emulators.
func TestSmokeAndDoctor(t *testing.T) {
	// By the service's own endpoint: it refuses events about any other.
	cloud, err := openCloud(startStand(t).service)
	must(t, err)
	var out bytes.Buffer
	s := smoke{cloud: cloud, timeout: 5 * time.Minute, announce: true, out: &out}
	if err := s.run(t.Context()); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"uploaded", "the result is right", "deleted, with its results"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("smoke did not say %q: %s", want, out.String())
		}
	}
	for _, f := range doctor.Run(t.Context(), cloud.checks()) {
		if f.Level != doctor.OK {
			t.Errorf("%+v", f)
		}
	}
}
