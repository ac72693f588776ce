package azfunctest_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
)

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRetriesAndPoison is section 6.2: each attempt has a new invocation id and the next DequeueCount, the last one ends in
// the poison queue, which is made when needed and gets the body and nothing else.
func TestRetriesAndPoison(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "3")
	a.start()
	a.send("status 500")
	a.await(azfunctest.MessagePoisoned, 1)
	a.until("the deletion", func() bool { left, _ := a.queues.Messages("work"); return len(left) == 0 })
	invoked := a.seen(azfunctest.Invoked)
	ids := map[string]bool{}
	for i, e := range invoked {
		ids[e.Invocation] = true
		if e.Attempt != i+1 {
			t.Errorf("attempt %d has DequeueCount %d", i+1, e.Attempt)
		}
	}
	if len(invoked) != 3 || len(ids) != 3 {
		t.Errorf("%d attempts with %d invocation ids, want 3 and 3", len(invoked), len(ids))
	}
	poison, ok := a.queues.Messages("work-poison")
	if !ok || len(poison) != 1 {
		t.Fatalf("poison queue: %v, exists %v", poison, ok)
	}
	if p := poison[0]; p.Text != encoded("status 500") || p.DequeueCount != 0 || p.ID == invoked[0].Message {
		t.Errorf("poison message = %+v, want a new message with the same body", p)
	}
}

func TestVisibilityTimeoutIsTheRetryDelay(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__visibilityTimeout", "01:00:00")
	a.start()
	a.send("status 500")
	a.await(azfunctest.MessageReleased, 1)
	left, _ := a.queues.Messages("work")
	if len(left) != 1 || time.Until(left[0].NextVisible) < 50*time.Minute {
		t.Errorf("left in the queue: %+v, want it hidden for an hour", left)
	}
}

// TestPoisonWithoutACall: bodies that are no base64, and messages whose earlier attempts died with their host.
func TestPoisonWithoutACall(t *testing.T) {
	t.Run("not_base64", func(t *testing.T) {
		a := newApp(t)
		a.start()
		a.sendRaw(`{"plain":"json"}`)
		a.await(azfunctest.MessagePoisoned, 1)
		poison, _ := a.queues.Messages("work-poison")
		if len(a.seen(azfunctest.Invoked)) != 0 || len(poison) != 1 || poison[0].Text != `{"plain":"json"}` {
			t.Errorf("invoked %v, poison %v, want the raw text moved without a call", a.seen(azfunctest.Invoked), poison)
		}
	})
	t.Run("dequeued_too_often", func(t *testing.T) {
		a := newApp(t)
		a.send("hello")
		for range 2 {
			if _, err := a.queues.Receive(t.Context(), "work", 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		a.start()
		a.await(azfunctest.MessagePoisoned, 1)
		if len(a.seen(azfunctest.Invoked)) != 0 {
			t.Error("the function was called for a message beyond maxDequeueCount")
		}
	})
	t.Run("not_utf8_fails_without_a_call", func(t *testing.T) {
		a := newApp(t)
		a.start()
		a.send("\xff\xfe")
		a.await(azfunctest.MessagePoisoned, 1)
		if n := len(a.calls("POST")); n != 0 || len(a.seen(azfunctest.Failed)) != 2 {
			t.Errorf("%d calls, %d failures, want none and 2", n, len(a.seen(azfunctest.Failed)))
		}
	})
	t.Run("plain_encoding_takes_anything", func(t *testing.T) {
		a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__messageEncoding", "none")
		a.start()
		a.sendRaw("hello")
		a.await(azfunctest.MessageDeleted, 1)
	})
}

// TestNoPoisonQueueForAPoisonQueue: a message that fails on a -poison queue stays hidden until its lease ends, for ever.
func TestNoPoisonQueueForAPoisonQueue(t *testing.T) {
	for _, queue := range []string{"work-poison", strings.Repeat("q", 57)} {
		t.Run(queue, func(t *testing.T) {
			a := newApp(t).set("WorkQueue", queue).set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
			if err := a.queues.Create(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
			if err := a.queues.Send(t.Context(), queue, encoded("status 500")); err != nil {
				t.Fatal(err)
			}
			a.start()
			a.await(azfunctest.MessageStuck, 1)
			left, _ := a.queues.Messages(queue)
			if _, made := a.queues.Messages(queue + "-poison"); made || len(left) != 1 || time.Until(left[0].NextVisible) < time.Minute {
				t.Errorf("left %+v, poison queue made %v", left, made)
			}
		})
	}
}

// TestRenewal: the message stays hidden for as long as the invocation runs, renewed at half of the lease.
func TestRenewal(t *testing.T) {
	a := newApp(t)
	a.options.Times.Lease = 300 * time.Millisecond
	a.start()
	a.send("sleep 1s")
	a.await(azfunctest.MessageDeleted, 1)
	if n := len(a.seen(azfunctest.Invoked)); n != 1 {
		t.Errorf("%d deliveries of one message, want 1", n)
	}
	if n := len(a.seen(azfunctest.MessageRenewed)); n < 3 {
		t.Errorf("renewed %d times within a second at a lease of 300 ms, want 3 or more", n)
	}
}

// TestCrashBringsMessagesBack: after the host vanished the message returns when its lease ends, with the next DequeueCount.
func TestCrashBringsMessagesBack(t *testing.T) {
	a := newApp(t)
	a.options.Times.Lease = 400 * time.Millisecond
	host := a.start()
	a.send("sleep 900ms")
	a.until("the call", func() bool { return len(a.calls("POST")) == 1 })
	host.Crash()
	if left, _ := a.queues.Messages("work"); len(left) != 1 {
		t.Fatalf("left in the queue: %v", left)
	}
	a.start()
	if e := a.await(azfunctest.Invoked, 2); e.Attempt != 2 {
		t.Errorf("attempt = %d, want 2", e.Attempt)
	}
	a.await(azfunctest.MessageDeleted, 1)
}

// TestParallel: batchSize + newBatchThreshold messages run at once, and no more.
func TestParallel(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__batchSize", "2").set("AzureFunctionsJobHost__extensions__queues__newBatchThreshold", "1")
	a.start()
	for range 12 {
		a.send("sleep 50ms")
	}
	a.await(azfunctest.MessageDeleted, 12)
	running, most := 0, 0
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.events {
		switch e.Kind {
		case azfunctest.Invoked:
			running++
		case azfunctest.Succeeded:
			running--
		}
		most = max(most, running)
	}
	if most != 3 {
		t.Errorf("%d ran at once, want 3", most)
	}
}

func TestQueueMayComeLater(t *testing.T) {
	a := newApp(t).set("WorkQueue", "later")
	a.start()
	time.Sleep(30 * time.Millisecond)
	if err := a.queues.Create(t.Context(), "later"); err != nil {
		t.Fatal(err)
	}
	if err := a.queues.Send(t.Context(), "later", encoded("hello")); err != nil {
		t.Fatal(err)
	}
	a.await(azfunctest.MessageDeleted, 1)
	if trouble := a.seen(azfunctest.QueueTrouble); len(trouble) > 0 {
		t.Errorf("a missing queue was told as trouble: %v", trouble)
	}
}
