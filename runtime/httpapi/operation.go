package httpapi

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/channel"
)

// conditionRoutes show administrators how the installation is.
func (s *Server) conditionRoutes() {
	s.register(route{method: "GET", path: "/api/system/nodes", access: signedIn, body: small, deadline: quick, handle: s.nodes})
	s.register(route{method: "GET", path: "/api/system/queues", access: signedIn, body: small, deadline: quick, handle: s.queues})
	s.register(route{method: "GET", path: "/api/system/storage", access: signedIn, body: small, deadline: quick, handle: s.storage})
	s.register(route{method: "GET", path: "/api/system/errors", access: signedIn, body: small, deadline: quick, handle: s.errorCatalogue})
}

// silentAfter is how long a node may give no sign of life.
const silentAfter = 45 * time.Second

// nodeView is a process that serves the installation, in an answer.
type nodeView struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Version string           `json:"version"`
	Workers int              `json:"workers"`
	Started time.Time        `json:"startedTime"`
	Seen    time.Time        `json:"seenTime"`
	Silent  bool             `json:"silent"`
	Here    bool             `json:"here"`
	Working []backgroundView `json:"working"`
	Errors  []app.Fault      `json:"errors"`
	Away    bool             `json:"filesAway"`
}

func (s *Server) nodes(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	all, err := s.app.Nodes(r.ctx)
	if err != nil {
		return nil, err
	}
	out := []nodeView{}
	for _, n := range all {
		v := nodeView{ID: n.ID, Name: n.Name, Version: n.Version, Workers: n.Workers, Started: n.Started, Seen: n.Seen, Here: n.Here,
			Silent: s.app.Now().Sub(n.Seen) > silentAfter, Working: works(n.Working), Errors: n.Errors, Away: n.FilesAway}
		if v.Errors == nil {
			v.Errors = []app.Fault{}
		}
		out = append(out, v)
	}
	return out, nil
}

// queueView is how many jobs of a kind there are, in an answer.
type queueView struct {
	Kind    string     `json:"kind"`
	Title   string     `json:"title"`
	Queued  int64      `json:"queued"`
	Running int64      `json:"running"`
	Failed  int64      `json:"failed"`
	Oldest  *time.Time `json:"oldestTime"`
}

func (s *Server) queues(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	depths, err := s.app.Jobs().All().Depths(r.ctx)
	if err != nil {
		return nil, err
	}
	out := []queueView{}
	for _, d := range depths {
		v := queueView{Kind: d.Kind, Title: d.Title.Zh, Queued: d.Queued, Running: d.Running, Failed: d.Failed, Oldest: d.Oldest}
		if r.locale == "en" {
			v.Title = d.Title.En
		}
		out = append(out, v)
	}
	return out, nil
}

// storage answers how much room the database and the files take.
func (s *Server) storage(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	space, err := s.app.Space(r.ctx)
	if err != nil {
		return nil, err
	}
	type table struct {
		Table string `json:"table"`
		Name  string `json:"name"` // of its model; "" = of the product itself
		Bytes int64  `json:"bytes"`
		Rows  *int64 `json:"rows"`
	}
	type kept struct {
		Pack    string `json:"pack"`
		Tables  int    `json:"tables"`
		Records int64  `json:"records"`
	}
	out := struct {
		Database  string    `json:"database"`
		Bytes     int64     `json:"bytes"`
		Free      int64     `json:"freeBytes"`
		Tables    []table   `json:"tables"`
		Files     int64     `json:"files"`
		FileBytes int64     `json:"fileBytes"`
		Kept      []kept    `json:"kept"`
		At        time.Time `json:"measuredTime"`
	}{s.app.Store().Dialect(), space.Bytes, space.Free, []table{}, space.Files, space.FileBytes, []kept{}, space.At}
	names := map[string]string{}
	for _, m := range r.state.Catalog.Models {
		names[m.Table] = m.Label.In(r.locale)
	}
	for _, k := range space.Kept {
		out.Kept = append(out.Kept, kept{k.Pack, len(k.Tables), k.Records})
	}
	for _, t := range space.Tables {
		v := table{Table: t.Table, Name: names[t.Table], Bytes: t.Bytes}
		if t.Rows >= 0 {
			v.Rows = &t.Rows
		}
		out.Tables = append(out.Tables, v)
	}
	return out, nil
}

// errorRow is a code of the catalogue, in an answer.
type errorRow struct {
	Code   fault.Code `json:"code"`
	Family string     `json:"family"`
	Key    string     `json:"key"`
	Status int        `json:"status"`
	Zh     string     `json:"zh"`
	En     string     `json:"en"`
	Pack   bool       `json:"pack"` // it is of a pack
}

// errorCatalogue answers every code that the installation can answer, those of its packs among them.
func (s *Server) errorCatalogue(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	out := []errorRow{}
	for code, t := range s.texts {
		out = append(out, errorRow{code, family(code), t.Key, t.Status, t.Zh, t.En, t.Key == ""})
	}
	slices.SortFunc(out, func(a, b errorRow) int { return int(a.Code - b.Code) })
	return out, nil
}

// family is the range of the specification that a code is in.
func family(code fault.Code) string {
	switch f := code / 100_000; {
	case code == fault.Internal:
		return "unknown"
	case f >= 1 && f <= 9:
		return [...]string{"general", "organization", "data", "workflow", "service", "application", "permission", "system", "task"}[f-1]
	}
	return "other"
}

// channelMetrics count what waits to be sent and what was given up.
type channelMetrics struct {
	app *app.App
	log *slog.Logger
}

var (
	deliveryCount  = prometheus.NewDesc("sluice_deliveries", "Messages by channel and state: waiting to be sent, dead (given up).", []string{"channel", "state"}, nil)
	deliveryOldest = prometheus.NewDesc("sluice_delivery_oldest_seconds", "Age of the oldest message that waits to be sent, by channel; 0 = none waits.", []string{"channel"}, nil)
	databaseBytes  = prometheus.NewDesc("sluice_database_bytes", "Size of the database.", nil, nil)
	fileBytes      = prometheus.NewDesc("sluice_file_bytes", "Size of all stored files.", nil, nil)
	nodeCount      = prometheus.NewDesc("sluice_nodes", "Processes that serve the installation, by whether they gave a sign of life lately: live, silent.", []string{"state"}, nil)
)

// Describe implements prometheus.Collector.
func (channelMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{deliveryCount, deliveryOldest, databaseBytes, fileBytes, nodeCount} {
		to <- d
	}
}

// Collect implements prometheus.Collector. What cannot be asked for is missing.
func (m channelMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	figures, err := m.app.Channels().Figures(ctx)
	if err != nil {
		m.log.Warn("count the deliveries", "error", err)
		return
	}
	for _, n := range channel.Names() {
		f, age := figures[n], 0.0
		if f.Oldest != nil {
			age = max(m.app.Now().Sub(*f.Oldest).Seconds(), 0)
		}
		gauge(deliveryCount, float64(f.Waiting), string(n), "waiting")
		gauge(deliveryCount, float64(f.Dead), string(n), "dead")
		gauge(deliveryOldest, age, string(n))
	}
	if space, err := m.app.Space(ctx); err == nil {
		gauge(databaseBytes, float64(space.Bytes))
		gauge(fileBytes, float64(space.FileBytes))
	}
	if nodes, err := m.app.Nodes(ctx); err == nil {
		live, silent := 0.0, 0.0
		for _, n := range nodes {
			if m.app.Now().Sub(n.Seen) > silentAfter {
				silent++
			} else {
				live++
			}
		}
		gauge(nodeCount, live, "live")
		gauge(nodeCount, silent, "silent")
	}
}
