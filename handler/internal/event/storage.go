package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"decant/handler/internal/job"
)

// blobData is the data of a storage event, the same in both schemas.
type blobData struct {
	API           string `json:"api"`
	ETag          string `json:"eTag"`
	ContentType   string `json:"contentType"`
	ContentLength *int64 `json:"contentLength"`
	URL           string `json:"url"`
	Sequencer     string `json:"sequencer"`
}

// storageEvent is what both schemas say.
type storageEvent struct {
	id, kind string
	time     time.Time
	data     blobData
}

// Event types that are understood. Others, such as BlobRenamed or DirectoryCreated, are refused by name.
const (
	typeCreated = "Microsoft.Storage.BlobCreated"
	typeDeleted = "Microsoft.Storage.BlobDeleted"
)

func (d *Decoder) gridEvent(object []byte) (Message, error) {
	var e struct {
		ID        string    `json:"id"`
		EventType string    `json:"eventType"`
		EventTime time.Time `json:"eventTime"`
		Data      blobData  `json:"data"`
	}
	if err := json.Unmarshal(object, &e); err != nil {
		return nil, bad("The Event Grid event is not readable: "+JSONProblem(err)+".", err)
	}
	return d.storage(storageEvent{e.ID, e.EventType, e.EventTime, e.Data})
}

func (d *Decoder) cloudEvent(object []byte) (Message, error) {
	var e struct {
		SpecVersion string    `json:"specversion"`
		ID          string    `json:"id"`
		Type        string    `json:"type"`
		Time        time.Time `json:"time"`
		Data        blobData  `json:"data"`
	}
	if err := json.Unmarshal(object, &e); err != nil {
		return nil, bad("The CloudEvent is not readable: "+JSONProblem(err)+".", err)
	}
	if e.SpecVersion != "1.0" {
		return nil, bad(fmt.Sprintf("CloudEvents %.20q is not understood; send version 1.0.", e.SpecVersion), nil)
	}
	return d.storage(storageEvent{e.ID, e.Type, e.Time, e.Data})
}

func (d *Decoder) storage(e storageEvent) (Message, error) {
	if e.kind != typeCreated && e.kind != typeDeleted {
		return nil, bad(fmt.Sprintf("Events of type %.80q are not handled. Let the event subscription send %s and %s only.", e.kind, typeCreated, typeDeleted), nil)
	}
	source, err := d.locate(e.data.URL)
	if err != nil {
		return nil, err
	}
	source.ETag = cleanETag(e.data.ETag)
	source.Sequencer = e.data.Sequencer
	source.MediaType = e.data.ContentType
	source.Size = -1
	if e.data.ContentLength != nil && *e.data.ContentLength >= 0 {
		source.Size = *e.data.ContentLength
	}
	switch {
	case !d.watches(source.Container):
		return &Ignored{source, fmt.Sprintf("container %q is not watched", source.Container)}, nil
	case e.kind == typeDeleted:
		return &Delete{Source: source, EventID: e.id, Time: e.time}, nil
	case source.Size == 0 && unfinished[e.data.API]:
		return &Ignored{source, "the upload is not finished: another event follows when its content is there"}, nil
	}
	return &Convert{
		Job:     job.Job{ID: source.ID(), Source: source, Enqueued: e.time},
		EventID: e.id,
		Time:    e.time,
	}, nil
}

// unfinished are the calls that create a blob of length 0 which PutBlockList or FlushWithClose fills. A blob that stays
// empty is found by the sweeper, and reported as empty.
var unfinished = map[string]bool{"PutBlob": true, "CreateFile": true, "SftpCreate": true}

func (d *Decoder) watches(container string) bool {
	return len(d.Containers) == 0 || slices.Contains(d.Containers, container)
}

// cleanETag takes off the quotation marks that some events have and some have not.
func cleanETag(etag string) string {
	return strings.Trim(strings.TrimPrefix(strings.TrimSpace(etag), "W/"), `"`)
}
