package httpapi

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
)

const (
	largestFile = 1 << 30 // bytes, of any upload; fields set their own limits below it
	slow        = 30 * time.Minute
)

func (s *Server) fileRoutes() {
	s.register(route{method: "POST", path: "/api/aliyun/upload", access: signedIn, scoped: true, body: largestFile + medium, deadline: slow, upload: true, handle: s.upload})
	s.register(route{method: "GET", path: "/api/aliyun/download", access: signedIn, scoped: true, body: small, deadline: slow, handle: s.download})
}

// stored is a file on the wire, as values of attachments hold it.
type stored struct {
	RefID    string `json:"refId"`
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	Size     int64  `json:"size"`
	IsImage  bool   `json:"isImage"`
}

// upload streams one file to where files are kept. With a field's codes its limits hold at once, and again when it is saved; so do those of a
// picture of a portal page or print template, and again when that is published.
func (s *Server) upload(r *request) (any, error) {
	up := blob.Upload{By: r.principal.UserID, Most: largestFile}
	of := r.QueryParam("for")
	limit := func() error {
		if schema := r.QueryParam("schemaCode"); schema != "" {
			limits, err := s.app.Reader().TakesFiles(r.view, schema, r.QueryParam("propertyCode"))
			if err != nil {
				return err
			}
			up.Accept, up.Most = limits.Accept, min(limits.MaxSize, largestFile)
		}
		if of != "" {
			limits, ok := app.DesignPictures[of]
			if !ok {
				return fault.New(fault.BadParameter, "for")
			}
			up.Accept, up.Most = limits.Types, limits.Most
		}
		return nil
	}
	if err := limit(); err != nil {
		return nil, err
	}
	up.Last = func(f blob.File) error {
		if err := s.arrived(r); err != nil {
			return err
		}
		if err := limit(); err != nil {
			return err
		}
		return up.Takes(f)
	}
	part, err := r.filePart()
	if err != nil {
		return nil, err
	}
	up.Name, up.Bytes = fileName(part), part
	f, err := s.app.Files().Put(r.ctx, up)
	if of != "" && fault.Of(err) == fault.FileNotAccepted {
		return nil, fault.New(fault.FileNotAccepted, blob.TypeNames(up.Accept))
	}
	if err != nil {
		return nil, broken(err)
	}
	if of != "" { // its first bytes may say more than the rest holds
		if err := s.app.Files().Picture(r.ctx, f, up.Most, up.Accept); err != nil {
			s.app.Files().Discard(r.ctx, f.ID)
			return nil, err
		}
	}
	return stored{RefID: f.ID, Name: f.Name, MimeType: f.Mime, Size: f.Size, IsImage: f.IsImage()}, nil
}

// filePart is the part "file" of a multipart body, which may take long to arrive.
func (r *request) filePart() (*multipart.Part, error) {
	r.extendDeadline()
	parts, err := r.Request().MultipartReader()
	if err != nil {
		return nil, fault.Wrap(err, fault.MediaType)
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, fault.New(fault.EmptyParameter, "file")
		}
		if err != nil {
			return nil, broken(err)
		}
		if part.FormName() == "file" {
			return part, nil
		}
	}
}

// extendDeadline lets a client on a slow line send or take many bytes. Recorders of tests know no deadlines.
func (r *request) extendDeadline() {
	_ = http.NewResponseController(r.Response()).SetWriteDeadline(time.Now().Add(slow + ordinary.Answer))
}

// fileName is the name that the uploader gave, with what is before a slash; blob cleans it.
func fileName(part *multipart.Part) string {
	_, given, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return given["filename"]
}

// broken tells a body that ended early, or is not a multipart form, from our own faults.
func broken(err error) error {
	var torn textproto.ProtocolError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, multipart.ErrMessageTooLarge) || errors.As(err, &torn) {
		return fault.Wrap(err, fault.BadParameter, "file")
	}
	return err
}

// inline are the types that browsers may show in place; all others are saved.
var inline = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"}

// download answers a file's bytes, or a small picture of it. Nothing in it may act as a page of ours: it is saved unless it
// is a picture or a PDF, its type is fixed, and scripts have no rights.
func (s *Server) download(r *request) (any, error) {
	id := r.QueryParam("refId")
	if _, err := uuid.Parse(id); err != nil {
		return nil, fault.New(fault.FileNotFound)
	}
	f, err := s.app.Reader().File(r.ctx, r.view, id)
	if err != nil {
		return nil, err
	}
	return s.deliver(r, f)
}

// deliver answers the bytes of a file that the caller may read, as the address wants them: small, drawn in the page, or saved.
func (s *Server) deliver(r *request, f blob.File) (any, error) {
	if r.QueryParam("thumb") == "1" {
		guardFile(r)
		return s.thumb(r, f)
	}
	return s.send(r, f, r.QueryParam("inline") == "1")
}

// guardFile keeps browsers from running what a file holds, and from keeping it without asking.
func guardFile(r *request) http.Header {
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache") // rights may end; the bytes of an id never change
	return h
}

// send answers the bytes of a file, drawn in the page where that is wanted and safe.
func (s *Server) send(r *request, f blob.File, drawn bool) (any, error) {
	h := guardFile(r)
	shown := drawn && slices.Contains(inline, f.Mime)
	h.Set("Content-Type", f.Mime)
	h.Set("Content-Disposition", disposition(shown, f.Name))
	h.Set("ETag", `"`+f.ID+`"`)
	if shown && f.Mime == "application/pdf" { // browsers' own viewer does not start in a sandbox
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'")
	} else {
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	}
	bytes, err := s.app.Files().Read(r.ctx, f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = bytes.Close() }()
	r.extendDeadline()
	http.ServeContent(r.Response(), r.Request(), "", f.CreatedAt, bytes)
	return sent{}, nil
}

func (s *Server) thumb(r *request, f blob.File) (any, error) {
	h := r.Response().Header()
	tag := `"` + f.ID + `-thumb"`
	h.Set("ETag", tag)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if r.Request().Header.Get("If-None-Match") == tag {
		return sent{}, r.NoContent(http.StatusNotModified)
	}
	small, err := s.app.Files().Thumb(r.ctx, f)
	if err != nil {
		return nil, err
	}
	return sent{}, r.Blob(http.StatusOK, http.DetectContentType(small), small)
}

// disposition names the file in the way that all browsers read (RFC 6266, RFC 8187).
func disposition(inline bool, name string) string {
	kind := "attachment"
	if inline {
		kind = "inline"
	}
	ascii := make([]byte, 0, len(name))
	for _, c := range name {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '%' {
			c = '_'
		}
		ascii = append(ascii, byte(c))
	}
	return kind + `; filename="` + string(ascii) + `"; filename*=UTF-8''` + url.PathEscape(name)
}
