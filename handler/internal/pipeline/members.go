package pipeline

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// memberMark stands between a document's path and the path of a document inside it.
const memberMark = "!/"

// tree is the budget of a document and everything inside it.
type tree struct {
	members int   // documents that may still be converted
	bytes   int64 // that they may have together
}

func newTree(l job.Limits) *tree { return &tree{members: l.Members, bytes: l.Output} }

// spend takes one member of the given size from the budget, or says why it does not fit.
func (b *tree) spend(size int64) error {
	switch {
	case b.members <= 0:
		return fault.New(fault.LimitDepth, "There are more files inside the document than the limit; this one was not read. Raise the limit (--max-members, DECANT_MAX_MEMBERS).", nil)
	case size > b.bytes:
		return fault.New(fault.TooLarge, "The files inside the document are larger together than the limit; this one was not read.", nil)
	}
	b.members--
	b.bytes -= size
	return nil
}

// members converts the documents inside the document as documents of their own. What becomes of one of them is told in
// the list; only what ends the whole work (cancelled, interrupted, taken over) is an error.
func (p *Pipeline) members(ctx context.Context, t *task) ([]Member, error) {
	var list []Member
	taken := map[string]bool{}
	for _, a := range t.result.Attachments {
		m := Member{Name: a.Name, File: a.File, MediaType: a.MediaType, Bytes: a.Bytes, Fault: fault.Kind(a.Fault), Message: a.Message}
		name, inside := a.Name, unread{}
		if a.File != "" && a.Fault == "" && t.job.Options.Attachments == "convert" {
			name = uniqueName(taken, a.Name)
			inside = p.member(ctx, t, a, name, &m)
		}
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err)
		}
		t.unread.add(t.job.Source.Path+memberMark+name, m, inside)
		list = append(list, m)
	}
	return list, nil
}

// uniqueName tells members of the same name apart: report.pdf, report~2.pdf.
func uniqueName(taken map[string]bool, name string) string {
	unique := name
	for n := 2; taken[unique]; n++ {
		ext := path.Ext(name)
		unique = strings.TrimSuffix(name, ext) + "~" + strconv.Itoa(n) + ext
	}
	taken[unique] = true
	return unique
}

// member converts one, writes what became of it into m, and tells what could not be read inside it.
func (p *Pipeline) member(ctx context.Context, t *task, a job.Attachment, name string, m *Member) unread {
	j := t.memberJob(a, name)
	m.Path = j.Source.Path
	if err := t.mayOpen(j, a.Bytes); err != nil {
		m.Fault, m.Message = fault.KindOf(err), fault.From(err).Message
		return unread{}
	}
	record, inside, err := p.handleMember(ctx, t, j, a)
	m.DocumentID, m.Status = j.ID, record.State
	if err != nil && !record.State.Readable() {
		m.Fault, m.Message = fault.KindOf(err), fault.From(err).Message
	}
	return inside
}

func (t *task) memberJob(a job.Attachment, name string) job.Job {
	parent := t.job.Source
	j := job.Job{
		Source: job.Source{
			Account: parent.Account, Container: parent.Container, Path: parent.Path + memberMark + name,
			ETag: parent.ETag, Sequencer: parent.Sequencer, Size: a.Bytes, MediaType: a.MediaType, Parent: t.job.ID,
		},
		Options: t.job.Options, Limits: t.job.Limits, BatchID: t.job.BatchID, Depth: t.job.Depth + 1, Enqueued: t.job.Enqueued,
	}
	j.ID = j.Source.ID()
	return j
}

// mayOpen tells whether depth, count and size allow one more document.
func (t *task) mayOpen(j job.Job, size int64) error {
	if j.Depth > j.Limits.Depth {
		return fault.New(fault.LimitDepth, "", nil)
	}
	return t.tree.spend(size)
}

func (p *Pipeline) handleMember(ctx context.Context, t *task, j job.Job, a job.Attachment) (ledger.Record, unread, error) {
	claim, record, err := p.Ledger.Claim(ctx, j, ledger.ClaimOptions{Force: true})
	if err != nil {
		return record, unread{}, err
	}
	source := filepath.Join(t.out, filepath.FromSlash(a.File))
	child := &task{job: j, claim: claim, tree: t.tree, input: func(_ context.Context, child *task) error {
		file, err := os.Open(source)
		if err != nil {
			return fault.New(fault.Internal, "", err)
		}
		defer file.Close()
		return child.fill(func(w io.Writer) error {
			n, err := CopyLimited(w, file, j.Limits.Input)
			child.job.Source.Size = n
			return err
		})
	}}
	record, err = p.work(ctx, child)
	return record, child.unread, err
}

// fromParent reads a document that was inside another one from that one's published results: for a retry of it alone.
func (p *Pipeline) fromParent(ctx context.Context, t *task) error {
	parent := t.job.Source
	at := strings.LastIndex(parent.Path, memberMark)
	if at < 0 {
		return fault.New(fault.Gone, "", nil)
	}
	parent.Path, parent.Parent = parent.Path[:at], ""
	m, err := p.Sink.Manifest(ctx, parent)
	if fault.KindOf(err) == fault.NotFound {
		return fault.New(fault.Gone, "The document that this file was inside of has no results any more. Convert that one again.", err)
	} else if err != nil {
		return err
	}
	for _, a := range m.Attachments {
		if a.Path == t.job.Source.Path && a.File != "" {
			return p.fillFromResults(ctx, t, parent, a.File)
		}
	}
	return fault.New(fault.Gone, "The file is not inside its document any more.", nil)
}

func (p *Pipeline) fillFromResults(ctx context.Context, t *task, parent job.Source, file string) error {
	body, err := p.Sink.Open(ctx, parent, file)
	if err != nil {
		return err
	}
	defer body.Close()
	return t.fill(func(w io.Writer) error {
		n, err := CopyLimited(w, body, t.job.Limits.Input)
		t.job.Source.Size = n
		return err
	})
}
