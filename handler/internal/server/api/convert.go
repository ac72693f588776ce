package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
)

// convert takes a small file in the body, raw with ?name= or as multipart/form-data with one file, and answers with what
// became of it; when that takes too long, with 202 and where to look.
func (a *API) convert(c echo.Context) error {
	if a.opt.Converter == nil {
		return server.NotOffered("conversion in a request")
	}
	upload, err := a.upload(c)
	if err != nil {
		return err
	}
	done, err := a.opt.Converter.Convert(c.Request().Context(), upload)
	if err != nil {
		return err
	}
	if !done.Done {
		c.Response().Header().Set("Location", documentURL(c, done.ID))
		return c.JSON(http.StatusAccepted, done)
	}
	if wantsMarkdown(c.Request()) {
		c.Response().Header().Set("X-Content-Type-Options", "nosniff")
		return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(done.Markdown))
	}
	return c.JSON(http.StatusOK, done)
}

func documentURL(c echo.Context, id job.ID) string {
	return strings.TrimSuffix(c.Request().URL.Path, "/convert") + "/documents/" + string(id)
}

func wantsMarkdown(r *http.Request) bool {
	first, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
	kind, _, _ := mime.ParseMediaType(first)
	return kind == "text/markdown"
}

func (a *API) upload(c echo.Context) (Upload, error) {
	r := c.Request()
	options, err := a.options(c)
	if err != nil {
		return Upload{}, err
	}
	if r.ContentLength > a.opt.MaxUpload+formOverhead {
		return Upload{}, a.tooLarge()
	}
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if mediaType == "multipart/form-data" {
		return a.fromForm(c, options)
	}
	if r.ContentLength > a.opt.MaxUpload {
		return Upload{}, a.tooLarge()
	}
	if r.ContentLength <= 0 {
		return Upload{}, errEmpty
	}
	if mediaType == "application/x-www-form-urlencoded" {
		mediaType = "" // what curl --data-binary says of anything
	}
	return Upload{Name: cleanName(c.QueryParam("name")), MediaType: mediaType, Body: r.Body, Size: r.ContentLength, Options: options}, nil
}

// formOverhead is what multipart may add to a file.
const formOverhead = 64 << 10

// errEmpty: the host forwards a body only when its length is declared, so a chunked upload arrives like none.
var errEmpty = fault.New(fault.BadRequest, "The request has no body. Send the file with a Content-Length; chunked uploads do not get through.", nil)

func (a *API) tooLarge() error {
	return fault.Newf(fault.TooLarge, "The file is larger than %d bytes, the most that one request takes. Upload it to the container instead.", a.opt.MaxUpload)
}

func (a *API) fromForm(c echo.Context, options job.Options) (Upload, error) {
	reader, err := c.Request().MultipartReader()
	if err != nil {
		return Upload{}, fault.New(fault.BadRequest, "The form cannot be read.", err)
	}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return Upload{}, fault.New(fault.BadRequest, "The form has no file in it.", nil)
		}
		if err != nil {
			return Upload{}, fault.New(fault.BadRequest, "The form cannot be read.", err)
		}
		if part.FileName() == "" {
			continue
		}
		content, err := io.ReadAll(io.LimitReader(part, a.opt.MaxUpload+1))
		switch {
		case err != nil:
			return Upload{}, fault.New(fault.BadRequest, "The form cannot be read.", err)
		case int64(len(content)) > a.opt.MaxUpload:
			return Upload{}, a.tooLarge()
		case len(content) == 0:
			return Upload{}, fault.New(fault.Empty, "", nil)
		}
		mediaType, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		return Upload{
			Name: cleanName(part.FileName()), MediaType: mediaType,
			Body: bytes.NewReader(content), Size: int64(len(content)), Options: options,
		}, nil
	}
}

// cleanName keeps a base name of at most 200 bytes; without one the content alone tells the format.
func cleanName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if name == "." || name == ".." || name == "/" || name == "" {
		return "document"
	}
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[len(name)-maxName:], "") // the end has the extension
	}
	return name
}

const maxName = 200

// options reads the conversion's options from the query. Repeated values come joined by commas through the host.
func (a *API) options(c echo.Context) (job.Options, error) {
	var o job.Options
	if outputs := c.QueryParam("outputs"); outputs != "" {
		o.Outputs = strings.Split(outputs, ",")
	}
	for name, field := range map[string]*string{
		"tokenizer": &o.Tokenizer, "strategy": &o.Strategy, "tableFormat": &o.TableFormat, "hidden": &o.Hidden, "revisions": &o.Revisions,
		"furniture": &o.Furniture, "comments": &o.Comments, "html": &o.HTML, "images": &o.Images, "attachments": &o.Attachments,
	} {
		*field = c.QueryParam(name)
	}
	for name, field := range map[string]*int{"maxTokens": &o.MaxTokens, "minTokens": &o.MinTokens, "overlap": &o.Overlap} {
		text := c.QueryParam(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return o, fault.Newf(fault.BadRequest, "%s=%.20s: must be a number.", name, text)
		}
		*field = n
	}
	return o, a.opt.Decoder.CheckOptions(o)
}
