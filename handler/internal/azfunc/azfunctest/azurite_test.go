package azfunctest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/azure/queue"
	"decant/handler/internal/emulator"
	"decant/handler/internal/job"
)

// azurite gives the client of the real queue service the face that the host wants.
type azurite struct{ *queue.Client }

var _ azfunctest.Queues = azurite{}

func (a azurite) Receive(ctx context.Context, name string, count int, hide time.Duration) ([]azfunctest.QueueMessage, error) {
	messages, err := a.Client.Receive(ctx, name, count, hide)
	list := make([]azfunctest.QueueMessage, 0, len(messages))
	for _, m := range messages {
		list = append(list, azfunctest.QueueMessage(m))
	}
	return list, translate(err)
}

func (a azurite) Hide(ctx context.Context, name, id, receipt string, hide time.Duration) (string, error) {
	renewed, err := a.Client.Hide(ctx, name, id, receipt, hide)
	return renewed, translate(err)
}

func (a azurite) Delete(ctx context.Context, name, id, receipt string) error {
	return translate(a.Client.Delete(ctx, name, id, receipt))
}

func translate(err error) error {
	switch {
	case errors.Is(err, queue.ErrNoQueue):
		return fmt.Errorf("%w: %w", azfunctest.ErrNoQueue, err)
	case errors.Is(err, queue.ErrReceipt):
		return fmt.Errorf("%w: %w", azfunctest.ErrReceipt, err)
	}
	return err
}

func startAzurite(t *testing.T) azurite {
	t.Helper()
	storage, err := emulator.StartStorage(t.Context(), emulator.Options{})
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(storage.Stop)
	client, err := queue.New(queue.Options{ConnectionString: job.Secret(storage.ConnectionString())})
	if err != nil {
		t.Fatal(err)
	}
	return azurite{client}
}

// TestAgainstAzurite holds MemoryQueues, on which the other tests stand, to a real queue service: delivery, retry with the
// next DequeueCount, renewal, poison, and a queue that is not there yet.
func TestAgainstAzurite(t *testing.T) {
	a := newApp(t)
	service := startAzurite(t)
	a.options.Queues = service
	a.options.Times.Lease = 2 * time.Second
	a.start()
	time.Sleep(50 * time.Millisecond) // the listener meets a queue that does not exist
	if err := service.Create(t.Context(), "work"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"fine", "status 500", "sleep 3s"} {
		if err := service.Send(t.Context(), "work", encoded(text)); err != nil {
			t.Fatal(err)
		}
	}
	a.await(azfunctest.MessageDeleted, 3)
	if poisoned := a.await(azfunctest.MessagePoisoned, 1); poisoned.Attempt != 2 {
		t.Errorf("poisoned at attempt %d, want 2", poisoned.Attempt)
	}
	if n := len(a.seen(azfunctest.Invoked)); n != 4 {
		t.Errorf("%d attempts, want 4: one, two, and one that was renewed", n)
	}
	if len(a.seen(azfunctest.MessageRenewed)) < 2 || len(a.seen(azfunctest.QueueTrouble)) > 0 {
		t.Errorf("renewed %d times, trouble %v", len(a.seen(azfunctest.MessageRenewed)), a.seen(azfunctest.QueueTrouble))
	}
	poison, err := service.Receive(t.Context(), "work-poison", 1, time.Second)
	if err != nil || len(poison) != 1 || poison[0].Text != encoded("status 500") || poison[0].DequeueCount != 1 {
		t.Errorf("poison queue: %+v, %v", poison, err)
	}
}
