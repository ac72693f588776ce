package event

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"decant/handler/internal/job"
)

// Created is the event that Event Grid would send for a finished upload, as JSON. Where there is no Event Grid,
// `decant submit` puts it on the queue. The account must have its endpoint; source.Size is sent unless it is unknown.
func Created(account Account, source job.Source, at time.Time) ([]byte, error) {
	return gridEvent(typeCreated, "PutBlockList", account, source, at)
}

// Deleted is the event that Event Grid would send for a deleted blob, as JSON.
func Deleted(account Account, source job.Source, at time.Time) ([]byte, error) {
	return gridEvent(typeDeleted, "DeleteBlob", account, source, at)
}

func gridEvent(kind, api string, account Account, source job.Source, at time.Time) ([]byte, error) {
	type data struct {
		blobData
		BlobType        string `json:"blobType"`
		ClientRequestID string `json:"clientRequestId"`
	}
	event := struct {
		Topic           string    `json:"topic"`
		Subject         string    `json:"subject"`
		EventType       string    `json:"eventType"`
		ID              string    `json:"id"`
		EventTime       time.Time `json:"eventTime"`
		DataVersion     string    `json:"dataVersion"`
		MetadataVersion string    `json:"metadataVersion"`
		Data            data      `json:"data"`
	}{
		Topic:           "/storageAccounts/" + account.Name,
		Subject:         "/blobServices/default/containers/" + source.Container + "/blobs/" + source.Path,
		EventType:       kind,
		ID:              uuid.NewString(),
		EventTime:       at.UTC(),
		MetadataVersion: "1",
		Data: data{blobData{
			API: api, ETag: source.ETag, ContentType: source.MediaType, URL: BlobURL(account, source), Sequencer: source.Sequencer,
		}, "BlockBlob", uuid.NewString()},
	}
	if source.Size >= 0 && kind == typeCreated {
		event.Data.ContentLength = &source.Size
	}
	return json.Marshal(event)
}

// BlobURL is the URL of a document, as data.url has it: every byte of the name that needs it is escaped.
func BlobURL(account Account, source job.Source) string {
	segments := strings.Split(source.Path, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.TrimSuffix(account.Endpoint, "/") + "/" + source.Container + "/" + strings.Join(segments, "/")
}

// Marshal writes a message in decant's own schema, as JSON. The event's own id and time are not part of it.
func Marshal(message Message) ([]byte, error) {
	w := wire{Schema: Schema}
	switch m := message.(type) {
	case *Convert:
		w.Kind, w.Document = KindConvert, documentOf(m.Job.Source)
		w.Options, w.Limits = m.Job.Options, LimitsOf(m.Job.Limits)
		w.Batch, w.Depth, w.NotAfter = m.Job.BatchID, m.Job.Depth, m.Job.NotAfter
	case *Delete:
		w.Kind, w.Document = KindDelete, documentOf(m.Source)
	case *BatchSubmit:
		w.Kind, w.Batch, w.Submit = KindBatchSubmit, m.BatchID, m
	case *BatchExpand:
		w.Kind, w.Batch, w.Cursor = KindBatchExpand, m.BatchID, m.Cursor
	case *BatchRetry:
		w.Kind, w.Batch, w.States = KindBatchRetry, m.BatchID, m.States
	case *BatchCancel:
		w.Kind, w.Batch = KindBatchCancel, m.BatchID
	default:
		return nil, fmt.Errorf("event: %T is not a message that is sent", message)
	}
	return json.Marshal(w)
}

func documentOf(s job.Source) *Document {
	d := &Document{
		Account: s.Account, Container: s.Container, Path: s.Path, ETag: s.ETag, Sequencer: s.Sequencer,
		MediaType: s.MediaType, Parent: s.Parent,
	}
	if s.Size >= 0 {
		d.Size = &s.Size
	}
	return d
}

// QueueText is a message's JSON as it is put on a storage queue: base64, as Event Grid sends it. It fails when the queue would refuse its length.
func QueueText(message []byte) (string, error) {
	text := base64.StdEncoding.EncodeToString(message)
	if len(text) > MaxBytes {
		return "", fmt.Errorf("queue message has %d bytes, the limit is %d", len(text), MaxBytes)
	}
	return text, nil
}
