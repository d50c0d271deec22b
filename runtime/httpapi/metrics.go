package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/job"
)

// metrics are the figures of the process.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
}

func newMetrics(a *app.App, log *slog.Logger) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "sluice_http_request_duration_seconds", Help: "Duration of HTTP requests by route, method and status.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
	}, []string{"route", "method", "status"})}
	m.registry.MustRegister(m.requests, jobMetrics{a.Jobs(), log}, databaseMetrics{a}, filesMetrics{a}, backgroundMetrics{a}, channelMetrics{a, log}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handler answers GET /metrics. It knows no principals, so it belongs on a listener that only the operator's network reaches.
func (m *metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

func (m *metrics) observe(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	if !slices.Contains(methods, method) {
		method = "other" // callers must not choose how many series there are
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Observe(took.Seconds())
}

func stack() string { return string(debug.Stack()) }

// jobMetrics counts the installation's jobs when it is asked.
type jobMetrics struct {
	jobs *job.Queue
	log  *slog.Logger
}

var jobCount = prometheus.NewDesc("sluice_jobs", "Background jobs of the installation by state: queued, running, failed (of the last 30 days).", []string{"state"}, nil)

// Describe implements prometheus.Collector.
func (jobMetrics) Describe(to chan<- *prometheus.Desc) { to <- jobCount }

// Collect implements prometheus.Collector. Without the database there are no figures of jobs, and the others go on.
func (m jobMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := m.jobs.Counts(ctx)
	if err != nil {
		m.log.Warn("count the jobs", "error", err)
		return
	}
	for state, n := range counts {
		to <- prometheus.MustNewConstMetric(jobCount, prometheus.GaugeValue, float64(n), string(state))
	}
}

// databaseMetrics tells how the database is.
type databaseMetrics struct{ app *app.App }

var (
	databaseUp      = prometheus.NewDesc("sluice_database_up", "1 while the database answers, else 0.", nil, nil)
	databaseOutages = prometheus.NewDesc("sluice_database_outages_total",
		"Calls that the database could not serve, by trouble: away, busy (locked by another process), full (no room on its disk).", []string{"trouble"}, nil)
)

// Describe implements prometheus.Collector.
func (databaseMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- databaseUp
	to <- databaseOutages
}

// Collect implements prometheus.Collector.
func (m databaseMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	to <- prometheus.MustNewConstMetric(databaseUp, prometheus.GaugeValue, up(m.app.DatabaseUp(ctx)))
	for trouble, n := range m.app.Store().Outages() {
		to <- prometheus.MustNewConstMetric(databaseOutages, prometheus.CounterValue, float64(n), string(trouble))
	}
}

// up is 1 without an error.
func up(err error) float64 {
	if err != nil {
		return 0
	}
	return 1
}

// filesMetrics tells how the storage of files is.
type filesMetrics struct{ app *app.App }

var (
	filesUp      = prometheus.NewDesc("sluice_files_up", "1 while files can be read and written, else 0.", nil, nil)
	filesOutages = prometheus.NewDesc("sluice_files_outages_total", "Times that the storage of files could not do what it was asked.", nil, nil)
)

// Describe implements prometheus.Collector.
func (filesMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- filesUp
	to <- filesOutages
}

// Collect implements prometheus.Collector.
func (m filesMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	to <- prometheus.MustNewConstMetric(filesUp, prometheus.GaugeValue, up(m.app.FilesUp(ctx)))
	if m.app.Files() == nil {
		return
	}
	to <- prometheus.MustNewConstMetric(filesOutages, prometheus.CounterValue, float64(m.app.Files().Outages()))
}
