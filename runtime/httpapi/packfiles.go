package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/temporary"
)

const (
	usualUpload  = 20 << 20 // bytes that an action takes unless it says otherwise
	largestField = 64 << 10 // bytes of a text beside the file
	mostFields   = 100
	inMemory     = 1 << 20 // bytes of an answer that are not put on disk first
)

// packUpload keeps the file of a multipart call as an upload of the caller and gives it to the action, with the other parts as its input.
func (s *Server) packUpload(r *request, found *catalog.Route, parameters map[string]string, takes action.Upload) (_ any, err error) {
	if err := s.app.May(r.view, found); err != nil { // before somebody without the right sends a file
		return nil, err
	}
	in := app.Input{}
	defer func() {
		if err != nil && in.File != nil {
			s.app.Files().Discard(r.ctx, in.File.ID)
		}
	}()
	r.extendDeadline()
	parts, err := r.Request().MultipartReader()
	if err != nil {
		return nil, fault.Wrap(err, fault.MediaType)
	}
	fields := map[string]json.RawMessage{}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, broken(err)
		}
		if part.FormName() != "file" {
			if err := textField(part, found, fields); err != nil {
				return nil, err
			}
			continue
		}
		if in.File != nil {
			return nil, fault.New(fault.BadParameter, "file")
		}
		sum := sha256.New()
		f, err := s.app.Files().Put(r.ctx, blob.Upload{By: r.principal.UserID, Name: fileName(part), Most: takes.Most, Accept: takes.Accept, Bytes: io.TeeReader(part, sum)})
		if err != nil {
			return nil, broken(err)
		}
		in.File, in.Sum = &f, hex.EncodeToString(sum.Sum(nil))
	}
	if in.File == nil {
		return nil, fault.New(fault.EmptyParameter, "file")
	}
	if in.Body, err = joined(fields, found, parameters); err != nil {
		return nil, err
	}
	if in.Token, err = callToken(r, found, in.Body); err != nil {
		return nil, err
	}
	data, err := s.app.Call(r.ctx, r.view, found, in)
	return raw(data), err
}

// textField reads a part that is not the file.
func textField(part *multipart.Part, found *catalog.Route, into map[string]json.RawMessage) error {
	name := part.FormName()
	text, err := io.ReadAll(io.LimitReader(part, largestField+1))
	if err != nil {
		return broken(err)
	}
	if _, twice := into[name]; twice || name == "" || len(text) > largestField || len(into) == mostFields {
		return fault.New(fault.BadParameter, name)
	}
	into[name] = found.Input.Read(name, []string{string(text)})
	return nil
}

// packDownload sends the file of an action. It is made as a whole first: a caller gets all of it, or an error, and a slow line holds no transaction.
func (s *Server) packDownload(r *request, found *catalog.Route, parameters map[string]string, mime string) (any, error) {
	input, err := inputOf(r, found, parameters)
	if err != nil {
		return nil, err
	}
	var made spool
	defer made.close()
	name, err := s.app.Download(r.ctx, r.view, found, app.Input{Body: input}, &made)
	if err != nil {
		return nil, err
	}
	content, err := made.content()
	if err != nil {
		return nil, err
	}
	r.extendDeadline()
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", mime)
	h.Set("Content-Disposition", disposition(false, name))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Length", strconv.FormatInt(made.size, 10))
	r.Response().WriteHeader(http.StatusOK)
	_, err = io.Copy(r.Response(), content)
	return sent{}, err
}

// spool takes bytes into memory, and into a file without a name when they are many.
type spool struct {
	head bytes.Buffer
	disk *temporary.File
	size int64
}

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	if s.size += int64(len(p)); s.size > largestFile {
		return 0, fault.New(fault.FileTooLarge, blob.SizeText(largestFile))
	}
	if s.disk == nil && s.size <= inMemory {
		return s.head.Write(p)
	}
	if s.disk == nil {
		f, err := temporary.Create()
		if err != nil {
			return 0, fmt.Errorf("a place for the answer: %w", err)
		}
		s.disk = f
	}
	return s.disk.Write(p)
}

// content reads what was written from its beginning.
func (s *spool) content() (io.Reader, error) {
	if s.disk == nil {
		return &s.head, nil
	}
	_, err := s.disk.Seek(0, io.SeekStart)
	return io.MultiReader(&s.head, s.disk), err
}

func (s *spool) close() {
	if s.disk != nil {
		_ = s.disk.Close()
	}
}
