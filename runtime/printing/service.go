// Package printing brings together what print templates draw: records in words, and the course of their workflows.
package printing

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// StatusCode is the key under which templates know the state of a record's workflow.
const StatusCode = "F0000020"

// Service loads data for paper, lays it out, and keeps who printed what.
type Service struct {
	DB        *store.DB
	Reader    *query.Reader
	Workflows *workflow.Service
	Files     *blob.Service
	Exports   *exporter.Service // keeps the files of batches
	Clock     func() time.Time
	Zone      *time.Location
	Key       []byte        // signs codes on paper
	Logo      func() []byte // a PNG or JPEG that labels may show; empty = none
	// TellsTime reports whether somebody may say which time is on paper of a model; nil = nobody may.
	TellsTime func(view *authz.View, m *catalog.Model) bool
	Address   string // at which browsers reach the system; "" = codes on paper lead nowhere, and are left out
}

// Record is a record for paper (api.yaml PrintRecord).
type Record struct {
	ID       string              `json:"id"`
	Data     json.RawMessage     `json:"data"`
	Texts    map[string]any      `json:"texts"`
	Workflow *string             `json:"workflowInstanceId"`
	Log      []workflow.PrintRow `json:"workflowLog"`
}

// told refuses a time for paper that the caller may not set, or that has not come.
func (s *Service) told(view *authz.View, schemaCode string, at *time.Time) error {
	if at == nil {
		return nil
	}
	m := view.Catalog.Model(schemaCode)
	switch {
	case m == nil || !view.Can(m, "view"):
		return fault.New(fault.ModelNotFound)
	case s.TellsTime == nil || !s.TellsTime(view, m):
		return fault.New(fault.PrintTimeForbidden)
	case at.After(s.Clock()) || at.Year() < firstYear:
		return fault.New(fault.BadParameter, "printedTime")
	}
	return nil
}

// firstYear is the earliest that paper is told to be of.
const firstYear = 1900

// Load reads records as prints need them, in the order of the request. Those that the caller does not see in the list or may not print are
// left out.
func (s *Service) Load(ctx context.Context, view *authz.View, req query.PrintRequest) ([]Record, error) {
	out := []Record{}
	err := s.Reader.Print(ctx, view, req, func(tx *store.Tx, records []query.Printed) error {
		for _, r := range records {
			one := Record{ID: r.ID, Data: r.Data, Texts: r.Texts, Log: []workflow.PrintRow{}}
			if r.Workflow != "" {
				course, err := s.Workflows.Course(ctx, tx, view, r.Workflow)
				if err != nil {
					return err
				}
				if course != nil {
					word, text := workflow.PrintWord(course.Status, view.Principal().Locale)
					one.Workflow, one.Log = &r.Workflow, course.Log
					one.Data, one.Texts[StatusCode] = withStatus(one.Data, word), text
				}
			}
			out = append(out, one)
		}
		return nil
	})
	return out, err
}

// withStatus adds the state of the workflow to the values of a record.
func withStatus(data json.RawMessage, word string) json.RawMessage {
	out := data[:len(data)-1]
	if len(out) > 1 {
		out = append(out, ',')
	}
	return append(out, `"`+StatusCode+`":"`+word+`"}`...)
}
