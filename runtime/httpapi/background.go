package httpapi

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// systemPermission is the platform permission of those who look after the installation.
const systemPermission = "SYS_MNG"

// backgroundView is a piece of background work in an answer.
type backgroundView struct {
	Kind    string    `json:"kind"`
	Name    string    `json:"name"`
	Done    int64     `json:"done"`
	Total   *int64    `json:"total"`
	Started time.Time `json:"startedTime"`
}

// background answers what the process that serves the call does beside requests, and how far it is.
func (s *Server) background(r *request) (any, error) {
	if err := r.maintains(); err != nil {
		return nil, err
	}
	return works(s.app.Store().Working()), nil
}

func works(of []store.Progress) []backgroundView {
	out := []backgroundView{}
	for _, p := range of {
		v := backgroundView{Kind: p.Kind, Name: p.Name, Done: p.Done, Started: p.Started.UTC()}
		if p.Total > 0 {
			v.Total = &p.Total
		}
		out = append(out, v)
	}
	return out
}

// backgroundMetrics tells what the process does beside requests.
type backgroundMetrics struct{ app *app.App }

var (
	backgroundWorks = prometheus.NewDesc("sluice_background_works", "Pieces of background work of this process that are under way, by kind.", []string{"kind"}, nil)
	backgroundDone  = prometheus.NewDesc("sluice_background_done", "Records that the background work under way is done with, by kind.", []string{"kind"}, nil)
	backgroundTotal = prometheus.NewDesc("sluice_background_total", "Records of the background work under way, by kind; 0 where they are not counted.", []string{"kind"}, nil)
	backgroundKinds = []string{store.BuildingIndexes, store.GatheringStatistics, record.Recomputing}
)

// Describe implements prometheus.Collector.
func (backgroundMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- backgroundWorks
	to <- backgroundDone
	to <- backgroundTotal
}

// Collect implements prometheus.Collector.
func (m backgroundMetrics) Collect(to chan<- prometheus.Metric) {
	works, done, total := map[string]int64{}, map[string]int64{}, map[string]int64{}
	kinds := slices.Clone(backgroundKinds)
	for _, p := range m.app.Store().Working() {
		if !slices.Contains(kinds, p.Kind) {
			kinds = append(kinds, p.Kind)
		}
		works[p.Kind]++
		done[p.Kind] += p.Done
		total[p.Kind] += p.Total
	}
	for _, kind := range kinds {
		to <- prometheus.MustNewConstMetric(backgroundWorks, prometheus.GaugeValue, float64(works[kind]), kind)
		to <- prometheus.MustNewConstMetric(backgroundDone, prometheus.GaugeValue, float64(done[kind]), kind)
		to <- prometheus.MustNewConstMetric(backgroundTotal, prometheus.GaugeValue, float64(total[kind]), kind)
	}
}
