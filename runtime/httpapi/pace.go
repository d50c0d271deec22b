package httpapi

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Times are how long the other end of a connection may take. What is zero is as in ordinary service.
type Times struct {
	Header time.Duration // for the header of a request
	Body   time.Duration // for a whole body; uploads have UploadRate instead
	Pause  time.Duration // between two parts of a body
	Linger time.Duration // for the rest of a body that nobody reads, such as that of a refused request
	Idle   time.Duration // between two requests of a connection

	// Answer is longer than any call's deadline: a client on a slow line still gets its answer, one that reads nothing does not
	// hold a connection and an answer forever.
	Answer time.Duration

	UploadRate int64 // bytes a second that an upload must reach on average, after its first Pause
	AnswerRate int64 // bytes a second that each part of an answer must be taken at, after a Pause; events have Answer alone
}

var ordinary = Times{Header: 10 * time.Second, Body: 60 * time.Second, Pause: 15 * time.Second, Linger: time.Second, Idle: 2 * time.Minute,
	Answer: 2 * time.Minute, UploadRate: 8 << 10, AnswerRate: 8 << 10}

func (t Times) orOrdinary() Times {
	for at, usual := range map[*time.Duration]time.Duration{&t.Header: ordinary.Header, &t.Body: ordinary.Body, &t.Pause: ordinary.Pause,
		&t.Linger: ordinary.Linger, &t.Idle: ordinary.Idle, &t.Answer: ordinary.Answer} {
		if *at == 0 {
			*at = usual
		}
	}
	if t.UploadRate == 0 {
		t.UploadRate = ordinary.UploadRate
	}
	if t.AnswerRate == 0 {
		t.AnswerRate = ordinary.AnswerRate
	}
	return t
}

// paced gives the body of every request and its answer their deadlines, whatever becomes of the request: read by a route, refused before one
// looks at it, or meant for no route at all.
func (s *Server) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &pacedWriter{ResponseWriter: w, connection: http.NewResponseController(w), times: s.times, end: time.Now().Add(s.times.Answer)}
		defer answer.leave()
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(answer, r)
			return
		}
		b := &pacedBody{ReadCloser: r.Body, connection: answer.connection, times: s.times, begun: time.Now(), asks: r.Header.Get("Expect") != ""}
		b.end = b.begun.Add(s.times.Body)
		b.await(time.Now())
		r.Body, answer.body = b, b
		next.ServeHTTP(answer, r)
		b.leave()
	})
}

// pacedBody reads a body while it arrives fast enough.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	times      Times
	begun, end time.Time
	rated      bool // an upload
	got        int64
	asks       bool // its sender waits to be told to send it
	whole      bool
	left       bool
}

// within shortens the time for the whole body to that of its call; an upload may use all of that while it keeps its rate.
func (b *pacedBody) within(call time.Duration, upload bool) {
	b.rated = upload
	if end := b.begun.Add(call); upload || end.Before(b.end) {
		b.end = end
	}
}

// await sets the deadline of the next part. Recorders of tests know no deadlines.
func (b *pacedBody) await(now time.Time) {
	limit := now.Add(b.times.Pause)
	if b.rated {
		if due := b.begun.Add(b.times.Pause + time.Duration(float64(b.got)/float64(b.times.UploadRate)*float64(time.Second))); due.Before(limit) {
			limit = due
		}
	}
	if b.end.Before(limit) {
		limit = b.end
	}
	_ = b.connection.SetReadDeadline(limit)
}

// Read implements io.Reader. A body that is too slow is the fault BodySlow, one whose sender went away *bodyLost.
func (b *pacedBody) Read(p []byte) (int, error) {
	b.await(time.Now())
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		b.whole = true
		_ = b.connection.SetReadDeadline(time.Time{}) // the server goes on reading, to notice when the client leaves
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fault.Wrap(err, fault.BodySlow)
	case gone(err):
		err = &bodyLost{err}
	default:
		err = fault.Wrap(err, fault.BadParameter, "body") // its transfer encoding is broken
	}
	return n, err
}

// leave is called when the answer begins: the server then waits for the rest of the body, so that a client which sends before
// it reads gets the answer, but not longer than this.
func (b *pacedBody) leave() {
	if b.whole || b.left {
		return
	}
	b.left = true
	_ = b.connection.SetReadDeadline(time.Now().Add(b.times.Linger))
}

// gone reports whether a body ended because its connection did.
func gone(err error) bool {
	var line net.Error
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &line)
}

// bodyLost is a body that ended before its end.
type bodyLost struct{ err error }

func (e *bodyLost) Error() string { return "the body ended early: " + e.err.Error() }

// Unwrap gives the cause.
func (e *bodyLost) Unwrap() error { return e.err }

// pacedWriter writes an answer while it is taken fast enough, and notices its beginning.
type pacedWriter struct {
	http.ResponseWriter
	connection *http.ResponseController
	times      Times
	body       *pacedBody // nil = the request has none
	end        time.Time  // of the whole answer
}

// part is how many bytes of an answer have a deadline together.
const part = 64 << 10

// SetWriteDeadline is for http.ResponseController: the end of the whole answer.
func (w *pacedWriter) SetWriteDeadline(end time.Time) error {
	w.end = end
	return w.connection.SetWriteDeadline(end)
}

// within sets the deadline of the next bytes. Recorders of tests know no deadlines.
func (w *pacedWriter) within(n int) {
	limit := time.Now().Add(w.times.Pause + time.Duration(float64(n)/float64(w.times.AnswerRate)*float64(time.Second)))
	if w.end.Before(limit) {
		limit = w.end
	}
	_ = w.connection.SetWriteDeadline(limit)
}

// leave is called when the answer is complete, but for what the server has not sent yet.
func (w *pacedWriter) leave() { w.within(part) }

// WriteHeader implements http.ResponseWriter.
func (w *pacedWriter) WriteHeader(status int) {
	if w.body != nil {
		if w.body.asks && w.body.got == 0 && !w.body.whole { // what nobody wants is not asked for
			w.Header().Set("Connection", "close")
		}
		w.body.leave()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *pacedWriter) Write(p []byte) (int, error) {
	if w.body != nil {
		w.body.leave()
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		return w.ResponseWriter.Write(p)
	}
	defer func() { _ = w.connection.SetWriteDeadline(w.end) }() // of what comes after the time that it takes to make it
	done := 0
	for {
		next := p[done:min(done+part, len(p))]
		w.within(len(next))
		n, err := w.ResponseWriter.Write(next)
		if done += n; err != nil || done == len(p) {
			return done, err
		}
	}
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
