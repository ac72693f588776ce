package batch

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"decant/handler/internal/job"
)

// SignatureHeader carries "t=<seconds since 1970>,v1=<hex>": HMAC-SHA256 with the shared secret over "<t>.<body>".
const SignatureHeader = "Decant-Signature"

// maxCalls is how often a webhook is tried, within 17 hours: the pauses double from a minute.
const maxCalls = 11

// Sign gives a webhook's signature.
func Sign(secret job.Secret, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// callAgain tries a pending webhook when its time has come.
func (s *Service) callAgain(ctx context.Context, h Head) error {
	if !h.Webhook.Pending || s.now().Before(h.Webhook.Next) {
		return nil
	}
	text, err := s.endedMessage(ctx, h.ID)
	if err != nil {
		return err
	}
	return s.call(ctx, h, text)
}

// call tries a webhook once and notes how it went. That it was not reached is no error: the sweeper tries again.
func (s *Service) call(ctx context.Context, h Head, body []byte) error {
	failure := s.post(ctx, h.Submit.Webhook, body)
	h, err := s.updateHead(ctx, h.ID, func(h *Head) (bool, error) {
		h.Webhook.Tries++
		if failure == nil {
			h.Webhook.Pending, h.Webhook.Told = false, s.now()
			return true, nil
		}
		h.Webhook.Next = s.now().Add(time.Minute << min(h.Webhook.Tries-1, 10))
		h.Webhook.Pending = h.Webhook.Tries < maxCalls
		return true, nil
	})
	if err != nil {
		return err
	}
	if failure == nil {
		s.note(ctx, h.ID, "webhook", "The webhook was told.", "")
	} else {
		s.note(ctx, h.ID, "webhook_failed", fmt.Sprintf("The webhook was not reached at try %d: %v.", h.Webhook.Tries, failure), "")
	}
	return nil
}

func (s *Service) post(ctx context.Context, url string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("its URL is not valid")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(SignatureHeader, Sign(s.opt.Secret, s.now(), body))
	answer, err := s.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("no answer")
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("it answered %d", answer.StatusCode)
	}
	return nil
}

// carefulClient calls public addresses only and follows no redirects: a batch's webhook is a stranger's URL, and this
// machine may reach addresses that the stranger may not (metadata services, private networks).
func carefulClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if ip := at.Addr().Unmap(); !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			return fmt.Errorf("%s is not a public address", ip)
		}
		return nil
	}}
	return &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConns: 4, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
