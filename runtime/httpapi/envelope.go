package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/schemas"
)

// raw is an answer's data that is JSON already.
type raw []byte

// text is a row of schemas/errors.json.
type text struct {
	Code   fault.Code `json:"code"`
	Key    string     `json:"key"`
	Status int        `json:"status"`
	Zh     string     `json:"zh"`
	En     string     `json:"en"`
}

// texts are the rows of schemas/errors.json by code.
type texts map[fault.Code]text

func loadTexts() (texts, error) {
	data, err := schemas.FS.ReadFile("errors.json")
	if err != nil {
		return nil, err
	}
	var rows []text
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("schemas/errors.json: %w", err)
	}
	out := make(texts, len(rows))
	for _, r := range rows {
		out[r.Code] = r
	}
	return out, nil
}

// add enters the codes of packs.
func (t texts) add(set *pack.Set) error {
	for _, name := range set.Errors.Names() {
		d, _ := set.Errors.Get(name)
		first, taken := t[d.Code]
		switch {
		case taken:
			return fmt.Errorf("the error code %d of a pack is taken: %s", d.Code, first.En)
		case d.Status < 400 || d.Status > 599:
			return fmt.Errorf("the error code %d of a pack has the status %d", d.Code, d.Status)
		case d.Zh == "" || d.En == "":
			return fmt.Errorf("the error code %d of a pack needs a Chinese and an English text", d.Code)
		}
		t[d.Code] = text{Code: d.Code, Status: d.Status, Zh: d.Zh, En: d.En}
	}
	return nil
}

// sentence returns a code's text in a locale with its arguments filled in.
func (t texts) sentence(c fault.Code, locale string, args []any) string {
	row := t[c]
	s := row.Zh
	if locale == "en" {
		s = row.En
	}
	return diag.Fill(s, args, locale)
}

// about is a sentence behind the name of the property that it speaks of; "" = of none.
func (t texts) about(field string, c fault.Code, locale string, args []any) string {
	sentence := t.sentence(c, locale, args)
	switch {
	case field == "":
		return sentence
	case locale == "en":
		return field + ": " + sentence
	}
	return field + "：" + sentence
}

// Sentence is the text of a refusal in a locale, for places that are no HTTP answer; the refused fields stand behind it.
func Sentence(refused *fault.Error, locale string) string {
	t, err := loadTexts()
	if err != nil {
		return refused.Error()
	}
	out := t.sentence(refused.Code, locale, refused.Args)
	if invalid, ok := refused.Data.(fault.Invalid); ok {
		for _, e := range invalid.Errors {
			out += "\n  " + e.PropertyCode + ": " + t.field(e, locale)
		}
	}
	return out
}

// sent is the data of an answer that the handler wrote itself: a file.
type sent struct{}

// field is the text of a refused field: the author's own, where a data rule has one.
func (t texts) field(e fault.FieldError, locale string) string {
	switch {
	case locale == "en" && e.MessageEn != "":
		return e.MessageEn
	case e.MessageZh != "":
		return e.MessageZh
	}
	return t.sentence(e.Code, locale, e.Args)
}

// answer writes data in the envelope.
func answer(c *echo.Context, data any) error {
	if _, done := data.(sent); done {
		return nil
	}
	body, ok := data.(raw)
	if !ok {
		var err error
		if body, err = json.Marshal(data); err != nil {
			return err
		}
	}
	return sendJSON(c, http.StatusOK, []byte(`{"errcode":0,"errmsg":"","data":`), body, []byte(`}`))
}

// fail writes an error in the envelope. Unknown errors become the internal code; their text goes to the log only.
func (s *Server) fail(c *echo.Context, err error) {
	if res, e := echo.UnwrapResponse(c.Response()); e == nil && res.Committed {
		return
	}
	code, args, data := classify(err)
	if code == fault.MethodNotAllowed || code == fault.RouteNotFound {
		code = s.unmatched(c)
	}
	locale := localeOf(c)
	if _, registered := s.texts[code]; !registered {
		// A pack made a fault of a number that nobody knows: its own words are a refusal, without any it is a failure.
		err = fmt.Errorf("fault.New(%d): no such code in schemas/errors.json; use fault.Refuse for words of a pack's own: %w", code, err)
		if code, data = fault.Internal, nil; own(err, locale, "") != "" {
			s.log.ErrorContext(c.Request().Context(), "unknown fault code", "request", requestID(c), "path", c.Path(), "error", err)
			code = fault.ActionRefused
		}
	}
	if c.Request().Context().Err() != nil && errors.Is(err, context.Canceled) {
		code = fault.ClientGone
	}
	switch code {
	case fault.ClientGone:
		s.log.DebugContext(c.Request().Context(), "the client closed the connection", "request", requestID(c), "path", c.Path(), "error", err)
	case fault.DatabaseAway, fault.DatabaseBusy, fault.DiskFull, fault.FilesAway:
		s.log.ErrorContext(c.Request().Context(), "database, disk or storage of files not available", "request", requestID(c), "path", c.Path(), "error", err)
	case fault.Internal:
		args = []any{requestID(c)}
		s.log.ErrorContext(c.Request().Context(), "request failed", "request", requestID(c), "path", c.Path(), "error", err)
	}
	var unseen *record.Unseen
	if errors.As(err, &unseen) { // its fields are for administrators, under the id that the caller may be given
		s.log.WarnContext(c.Request().Context(), "save refused", "request", requestID(c), "error", unseen)
		if code == fault.RecordUnseen {
			args = []any{requestID(c)}
		}
	}
	body, e := json.Marshal(map[string]any{"errcode": code, "errmsg": own(err, locale, s.texts.sentence(code, locale, args)), "data": s.localise(data, locale)})
	if e != nil {
		body = []byte(`{"errcode":999999,"errmsg":"","data":null}`)
	}
	status := s.texts[code].Status
	if status == 0 {
		status = http.StatusInternalServerError
	}
	if retry, ok := data.(fault.Retry); ok {
		c.Response().Header().Set("Retry-After", strconv.Itoa(retry.After))
	}
	if e := sendJSON(c, status, body); e != nil && code != fault.ClientGone {
		s.log.WarnContext(c.Request().Context(), "write an answer", "error", e)
	}
}

// own is what a pack says itself, or the text of the code.
func own(err error, locale, sentence string) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return sentence
	}
	for _, words := range map[bool][]string{true: {f.MessageEn, f.MessageZh}, false: {f.MessageZh, f.MessageEn}}[locale == "en"] {
		if words != "" {
			return words
		}
	}
	return sentence
}

// unmatched tells an unknown path from one that exists for other methods. The router cannot: the application's own route
// takes the GET of every path.
func (s *Server) unmatched(c *echo.Context) fault.Code {
	if slices.ContainsFunc(s.routes, func(r route) bool { return r.covers(c.Request().URL.Path) }) {
		return fault.MethodNotAllowed
	}
	if _, _, known := s.app.State().Catalog.RouteOf(c.Request().Method, c.Request().URL.EscapedPath()); known {
		return fault.MethodNotAllowed
	}
	return fault.RouteNotFound
}

// partFailed is what an answer says of a part of it that there is none of. The text of an unforeseen error goes to the log only.
func (s *Server) partFailed(r *request, part string, err error) *jobError {
	code, args, _ := classify(err)
	if code == fault.Internal {
		args = []any{requestID(r.Context)}
		s.log.ErrorContext(r.ctx, "part of an answer failed", "request", args[0], "path", r.Path(), "part", part, "error", err)
	}
	return &jobError{Code: code, Message: s.texts.sentence(code, r.locale, args)}
}

func classify(err error) (fault.Code, []any, any) {
	var f *fault.Error
	var status interface{ StatusCode() int }
	var large *http.MaxBytesError
	var lost *bodyLost
	var outage *store.Outage
	var away *blob.Outage
	switch {
	case errors.As(err, &large):
		return fault.TooLarge, []any{size(large.Limit)}, nil
	case errors.As(err, &lost):
		return fault.ClientGone, nil, nil
	case errors.As(err, &outage):
		code, again := troubleCode(outage.Trouble)
		return code, nil, fault.Retry{After: again}
	case errors.As(err, &away):
		return fault.FilesAway, nil, fault.Retry{After: 5}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // of the files
		code, again := troubleCode(store.Full)
		return code, nil, fault.Retry{After: again}
	case errors.Is(err, store.ErrReadOnly):
		return fault.TokenReadOnly, nil, nil
	case errors.As(err, &f):
		return f.Code, f.Args, f.Data
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return fault.DeadlineExceeded, nil, nil
	case errors.As(err, &status):
		switch status.StatusCode() {
		case http.StatusNotFound:
			return fault.RouteNotFound, nil, nil
		case http.StatusMethodNotAllowed:
			return fault.MethodNotAllowed, nil, nil
		}
	}
	return fault.Internal, nil, nil
}

// troubleCode is how a trouble of the database is told, and after how many seconds it is worth trying again.
func troubleCode(t store.Trouble) (fault.Code, int) {
	switch t {
	case store.Busy:
		return fault.DatabaseBusy, 2
	case store.Full:
		return fault.DiskFull, 60
	}
	return fault.DatabaseAway, 5
}

// localise fills the texts of refused fields.
func (s *Server) localise(data any, locale string) any {
	invalid, ok := data.(fault.Invalid)
	if !ok {
		if p, isPointer := data.(*fault.Invalid); isPointer && p != nil {
			invalid, ok = *p, true
		}
	}
	if !ok {
		return data
	}
	out := fault.Invalid{Errors: make([]fault.FieldError, len(invalid.Errors))}
	for i, e := range invalid.Errors {
		e.Message = s.texts.field(e, locale)
		out.Errors[i] = e
	}
	return out
}

func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", bytes>>10)
}

// localeOf is the language of an answer: en when the caller asks for it first, else zh.
func localeOf(c *echo.Context) string {
	if strings.HasPrefix(strings.ToLower(c.Request().Header.Get("Accept-Language")), "en") {
		return "en"
	}
	return "zh"
}
