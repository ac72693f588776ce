package docx

import (
	"errors"
	"io/fs"

	"decant/handler/internal/fault"
	"decant/handler/internal/xmltree"
)

// readBody streams over the body: one paragraph, table or content control is in memory at a time.
func (p *parser) readBody() error {
	s, err := p.pkg.Scan(p.main)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Corrupt, "The document's main part is missing from the file.", err)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	f := p.newFlow()
	f.root = true
	count, root := 0, ""
	for s.Next() {
		if s.Kind() != xmltree.Start {
			continue
		}
		if root == "" {
			root = s.Name()
		}
		if s.Name() == "w:document" || s.Name() == "w:body" {
			continue
		}
		if s.Name() == "w:background" {
			s.Skip()
			continue
		}
		f.block(s.Element())
		if count++; count%64 == 0 {
			p.in.Progress(max(p.page, 1), 0)
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if root != "w:document" && len(f.blocks) == 0 {
		return fault.New(fault.Corrupt, "The document's main part has no WordprocessingML in it.", nil)
	}
	if p.pkg.CutOff() && s.Damage().Truncated {
		return fault.New(fault.Corrupt, "The file was cut off in the middle of its text. Upload it again, whole.", nil)
	}
	p.doc.Blocks = f.finish()
	s.Damage().Warn(p.doc, p.main)
	return nil
}
