package httpapi

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
)

// contentPolicy allows nothing from other origins, but frames of those that portal pages embed, and no code from text. The control library writes style elements at run
// time; they carry the nonce of the page, which index.html holds in place of noncePlaceholder.
const (
	contentPolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-%[1]s'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; " +
		"font-src 'self' data:; connect-src 'self'; frame-src 'self'%[2]s; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'"
	noncePlaceholder = "{{nonce}}"
	// languagePlaceholder is where index.html holds the language of people who have chosen none; ui/src/i18n/locale.ts.
	languagePlaceholder = "{{language}}"
)

// nothingPolicy is that of answers which are no pages: opened as one, they load and run nothing.
const nothingPolicy = "default-src 'none'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"

// workerPrefix begins the names of the worker that runs author scripts; ui/src/sdk/script/script-worker.ts.
const workerPrefix = "assets/script-worker-"

// static serves the built application: files as they are, precompressed where the browser takes it, and index.html for
// every path that is neither a file nor a call.
type static struct {
	files  fs.FS
	index  []byte
	frames func() string // sources of frames besides this server, each behind a space
}

func newStatic(files fs.FS, frames func() string, language string) (*static, error) {
	index, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		index, err = []byte("<!doctype html><meta charset=utf-8><title>Sluice</title><p>The application is not built: run <code>make build</code>."), nil
	}
	index = bytes.ReplaceAll(index, []byte(languagePlaceholder), []byte(language))
	return &static{files: files, index: index, frames: frames}, err
}

func (s *static) serve(c *echo.Context) error {
	name := strings.TrimPrefix(path.Clean("/"+c.Request().URL.Path), "/")
	if name == "api" || slices.ContainsFunc([]string{"api/", "login/", "open/"}, func(calls string) bool { return strings.HasPrefix(name, calls) }) {
		return fault.New(fault.RouteNotFound)
	}
	if name == "" || name == "index.html" || !s.exists(name) {
		if path.Ext(name) != "" && (strings.HasPrefix(name, "assets/") || strings.HasPrefix(name, "sdk/")) {
			return fault.New(fault.RouteNotFound)
		}
		nonce := make([]byte, 16)
		if _, err := rand.Read(nonce); err != nil {
			return err
		}
		text := base64.RawURLEncoding.EncodeToString(nonce)
		h := c.Response().Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", fmt.Sprintf(contentPolicy, text, s.frames()))
		return c.Blob(http.StatusOK, "text/html; charset=utf-8", bytes.ReplaceAll(s.index, []byte(noncePlaceholder), []byte(text)))
	}
	return s.file(c, name)
}

func (s *static) exists(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && !info.IsDir()
}

// file writes an asset. Names under assets/ carry a digest of what they hold, so browsers may keep them forever.
func (s *static) file(c *echo.Context, name string) error {
	h := c.Response().Header()
	h.Del("Content-Security-Policy") // a worker's script would be held to it
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		if strings.HasPrefix(name, workerPrefix) {
			h.Set("Content-Security-Policy", workerPolicy)
		}
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	h.Set("Vary", "Accept-Encoding")
	accepted := c.Request().Header.Get("Accept-Encoding")
	for _, e := range []struct{ token, ending string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if strings.Contains(accepted, e.token) && s.exists(name+e.ending) {
			h.Set("Content-Encoding", e.token)
			name += e.ending
			break
		}
	}
	data, err := fs.ReadFile(s.files, name)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, kind, data)
}

// frames are the origins of the pages that portal pages embed. A host has none of the characters that end a source.
func (s *Server) frames() string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, p := range s.app.State().Catalog.Portals() {
		for _, origin := range p.Frames {
			if !seen[origin] && !strings.ContainsAny(origin, " ;,'\"") {
				seen[origin] = true
				out.WriteString(" " + origin)
			}
		}
	}
	return out.String()
}
