package workflow

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/record"
)

// request makes the call of a node over HTTP.
func (c *calling) request(ctx context.Context, t timer) (*http.Request, error) {
	call := c.node.Service
	in, err := c.input(call.Input)
	if err != nil {
		return nil, err
	}
	at, err := c.address(call.URL)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{"workflowCode": c.row.Code, "workflowInstanceId": c.row.ID, "activityCode": c.activity.Node, "schemaCode": c.row.Model,
		"bizObjectId": c.row.Record, "attempt": t.Step, "input": in})
	if err != nil {
		return nil, err
	}
	var send io.Reader = bytes.NewReader(body)
	if call.Method == http.MethodGet {
		query := at.Query()
		for name, v := range in {
			query.Set(name, fmt.Sprint(cmp.Or(v, any(""))))
		}
		at.RawQuery, send = query.Encode(), nil
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, at.String(), send)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Sluice")
	request.Header.Set("Idempotency-Key", c.row.ID+"-"+strconv.Itoa(c.activity.ID))
	return request, nil
}

// address fills the properties that an address names. They stay within their part of it.
func (c *calling) address(pattern string) (*url.URL, error) {
	origin, err := url.Parse(place.ReplaceAllString(pattern, "x"))
	if err != nil {
		return nil, err
	}
	st, _, err := c.facts.fresh()
	if err != nil {
		return nil, err
	}
	var lost error
	filled := place.ReplaceAllStringFunc(pattern, func(part string) string {
		f := c.w.Model.Field(place.FindStringSubmatch(part)[1])
		if f == nil || f.Sheet != nil {
			lost = fault.New(fault.ServiceFailed, origin.Host, "address")
			return ""
		}
		return strings.ReplaceAll(url.QueryEscape(plainText(record.ValueOf(st.Row, f))), "+", "%20")
	})
	if lost != nil {
		return nil, lost
	}
	at, err := url.Parse(filled)
	if err != nil || at.Scheme != origin.Scheme || at.Host != origin.Host {
		return nil, fault.New(fault.ServiceFailed, origin.Host, "address")
	}
	return at, nil
}

// plainText is a value as names and addresses show it.
func plainText(v any) string {
	switch v := v.(type) {
	case string, int64, fmt.Stringer:
		return fmt.Sprint(v)
	}
	return ""
}

// send makes a call over HTTP and reads its answer.
func (s *Service) send(request *http.Request, most time.Duration) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(request.Context(), most)
	defer cancel()
	host := request.URL.Host
	if s.cfg.HTTP == nil {
		return nil, fault.New(fault.ServiceFailed, host, "off")
	}
	answer, err := s.cfg.HTTP.Do(request.WithContext(ctx))
	if err != nil {
		s.cfg.Log.Warn("call a service of a workflow", "host", host, "error", err)
		return nil, fault.New(fault.ServiceFailed, host, "connection")
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.ServiceFailed, host, "connection")
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return nil, fault.New(fault.ServiceFailed, host, "HTTP "+strconv.Itoa(answer.StatusCode))
	case len(body) > mostAnswer:
		return nil, fault.New(fault.ServiceFailed, host, "too large")
	case len(bytes.TrimSpace(body)) == 0:
		return nil, nil
	}
	out := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return nil, fault.New(fault.ServiceFailed, host, "JSON")
	}
	return out, nil
}
