package outside

import "decant/handler/internal/job"

// Protocol is the version of the conversation with workers (docs/outside-converters.md).
const Protocol = 1

// maxLine is the longest line that a worker may write, in bytes.
const maxLine = 1 << 20

// ask is a line to a worker: one document.
type ask struct {
	Type      string `json:"type"` // convert
	ID        int    `json:"id"`   // counts from 1
	Input     string `json:"input"`
	Output    string `json:"output"` // folder for the result
	Format    string `json:"format"`
	Name      string `json:"name"` // as uploaded
	MediaType string `json:"mediaType,omitempty"`
	Returns   string `json:"returns"` // format that is expected
	MaxPages  int    `json:"maxPages"`
}

// tell is a line from a worker.
type tell struct {
	Type     string `json:"type"` // ready, progress, done, failed
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	ID       int    `json:"id"`
	Page     int    `json:"page"`
	Pages    int    `json:"pages"`
	File     string `json:"file"` // below the output folder
	Kind     string `json:"kind"`
	Message  string `json:"message"`
}

func (l *launcher) askFor(d *document) ask {
	return ask{
		Type: "convert", ID: d.number, Input: l.path(d.input), Output: l.path(d.output), Format: d.Outside.Format,
		Name: d.Job.Source.Name(), MediaType: d.Job.Source.MediaType, Returns: d.returns, MaxPages: d.Job.Limits.Pages,
	}
}

// progress is what the parent hears.
func (t tell) progress() job.Progress {
	return job.Progress{Stage: "outside", Page: max(0, t.Page), Pages: max(0, t.Pages)}
}
