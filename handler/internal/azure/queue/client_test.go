package queue_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/azure/queue"
	"decant/handler/internal/emulator"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

func TestClient(t *testing.T) {
	storage, err := emulator.StartStorage(t.Context(), emulator.Options{})
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer storage.Stop()
	c, err := queue.New(queue.Options{ConnectionString: job.Secret(storage.ConnectionString())})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *queue.Client, string)
	}{
		{"a message comes back until it is deleted", testLife},
		{"hiding keeps the text", testHide},
		{"a receipt that is not ours any more", testReceipt},
		{"a delayed message is not seen yet", testDelay},
		{"64 KiB fit and no more", testSize},
		{"only what is old is taken", testOlder},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := "q-" + strings.ToLower(strings.ReplaceAll(test.name, " ", "-")[:12])
			for range 2 {
				if err := c.Create(t.Context(), name); err != nil {
					t.Fatal(err)
				}
			}
			test.run(t, c, name)
		})
	}
	if _, err := c.Receive(t.Context(), "nowhere", 1, time.Second); !errors.Is(err, queue.ErrNoQueue) || fault.KindOf(err) != fault.NotFound {
		t.Errorf("Receive from a queue that is not there = %v, want ErrNoQueue", err)
	}
}

// take receives one message within a few seconds.
func take(t *testing.T, c *queue.Client, name string, hide time.Duration) queue.Message {
	t.Helper()
	for range 100 {
		list, err := c.Receive(t.Context(), name, 32, hide)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 {
			return list[0]
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("no message comes")
	return queue.Message{}
}

func testLife(t *testing.T, c *queue.Client, name string) {
	const body = `{"a":"<&>é"}`
	if err := c.Enqueue(t.Context(), name, []byte(body), 0); err != nil {
		t.Fatal(err)
	}
	first := take(t, c, name, time.Second)
	if string(first.Body()) != body || first.Text == body || first.DequeueCount != 1 || first.Expires.Before(time.Now()) {
		t.Errorf("message = %+v with %q", first, first.Body())
	}
	second := take(t, c, name, 30*time.Second)
	if second.ID != first.ID || second.DequeueCount != 2 {
		t.Errorf("second delivery = %+v", second)
	}
	if err := c.Delete(t.Context(), name, second.ID, second.Receipt); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Length(t.Context(), name); err != nil || n != 0 {
		t.Errorf("Length = %d, %v; want 0", n, err)
	}
}

func testHide(t *testing.T, c *queue.Client, name string) {
	if err := c.Send(t.Context(), name, "plain text"); err != nil {
		t.Fatal(err)
	}
	m := take(t, c, name, 30*time.Second)
	receipt, err := c.Hide(t.Context(), name, m.ID, m.Receipt, 0)
	if err != nil || receipt == m.Receipt {
		t.Fatalf("Hide = %q, %v; want a new receipt", receipt, err)
	}
	if again := take(t, c, name, 30*time.Second); again.Text != "plain text" || string(again.Body()) != "plain text" {
		t.Errorf("text after Hide = %q", again.Text)
	}
}

func testReceipt(t *testing.T, c *queue.Client, name string) {
	if err := c.Send(t.Context(), name, "x"); err != nil {
		t.Fatal(err)
	}
	old := take(t, c, name, time.Second)
	take(t, c, name, 30*time.Second)
	if err := c.Delete(t.Context(), name, old.ID, old.Receipt); !errors.Is(err, queue.ErrReceipt) {
		t.Errorf("Delete with an old receipt = %v, want ErrReceipt", err)
	}
	if _, err := c.Hide(t.Context(), name, old.ID, old.Receipt, time.Minute); !errors.Is(err, queue.ErrReceipt) {
		t.Errorf("Hide with an old receipt = %v, want ErrReceipt", err)
	}
}

func testDelay(t *testing.T, c *queue.Client, name string) {
	if err := c.Enqueue(t.Context(), name, []byte("later"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if list, err := c.Receive(t.Context(), name, 1, time.Second); err != nil || len(list) != 0 {
		t.Errorf("Receive = %d messages, %v; want none yet", len(list), err)
	}
}

func testSize(t *testing.T, c *queue.Client, name string) {
	if err := c.Enqueue(t.Context(), name, make([]byte, queue.MaxText*3/4), 0); err != nil {
		t.Errorf("48 KiB: %v", err)
	}
	if err := c.Enqueue(t.Context(), name, make([]byte, queue.MaxText*3/4+1), 0); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("48 KiB and one byte: %v, want too_large", err)
	}
}

func testOlder(t *testing.T, c *queue.Client, name string) {
	for _, text := range []string{"one", "two"} {
		if err := c.Send(t.Context(), name, text); err != nil {
			t.Fatal(err)
		}
	}
	var taken []string
	handle := func(m queue.Message) error { taken = append(taken, m.Text); return nil }
	if n, err := c.TakeOlder(t.Context(), name, time.Now().Add(-time.Hour), 10, handle); err != nil || n != 0 {
		t.Errorf("TakeOlder = %d, %v; want none", n, err)
	}
	if n, err := c.TakeOlder(t.Context(), name, time.Now().Add(time.Hour), 10, handle); err != nil || n != 2 || len(taken) != 2 {
		t.Errorf("TakeOlder = %d, %v with %q; want both", n, err, taken)
	}
}
