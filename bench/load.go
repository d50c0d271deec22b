package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// figures of one way to ask one server.
type figures struct {
	p50  time.Duration // one client
	rate float64       // answers a second with 16 clients
	cpu  time.Duration // of the server, for an answer, with 16 clients
	both time.Duration // with that of the database where it is another process
	size int
}

// asking is a request that is sent again and again; body makes the n-th one.
type asking struct {
	path, token string
	body        func(n int) []byte
}

func constant(body string) func(int) []byte { return func(int) []byte { return []byte(body) } }

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}

// sequence numbers all requests, so that none asks for what another has asked. It begins with the time of the day: nor is anything
// created again that an earlier run created in a database that is kept.
var sequence atomic.Int64

func init() {
	const day, aSecond = 24 * 60 * 60, 5000
	sequence.Store(time.Now().Unix() % day * aSecond)
}

func (p *process) ask(ctx context.Context, a asking) ([]byte, error) {
	return call(ctx, client, p.address+a.path, a.token, a.body(int(sequence.Add(1))))
}

// single is the median of one client.
func (p *process) single(ctx context.Context, a asking, each time.Duration) (time.Duration, int, error) {
	var took []time.Duration
	size := 0
	for end := time.Now().Add(each); time.Now().Before(end) || len(took) < 3; {
		begun := time.Now()
		out, err := p.ask(ctx, a)
		if err != nil {
			return 0, 0, err
		}
		took, size = append(took, time.Since(begun)), len(out)
	}
	slices.Sort(took)
	return took[len(took)/2], size, nil
}

// many is the throughput of clients that ask at the same time, and the CPU time for each answer: of the server, and of server and database.
func (p *process) many(ctx context.Context, a asking, clients int, each time.Duration) (out figures, err error) {
	before, beside, err := p.cpus()
	if err != nil {
		return figures{}, err
	}
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var wait sync.WaitGroup
	begun := time.Now()
	for range clients {
		wait.Go(func() {
			for time.Since(begun) < each && failed.Load() == nil {
				if _, err := p.ask(ctx, a); err != nil {
					failed.Store(&err)
					return
				}
				done.Add(1)
			}
		})
	}
	wait.Wait()
	if e := failed.Load(); e != nil {
		return figures{}, *e
	}
	took := time.Since(begun)
	after, later, err := p.cpus()
	n := time.Duration(max(1, done.Load()))
	return figures{rate: float64(done.Load()) / took.Seconds(), cpu: (after - before) / n, both: (after - before + later - beside) / n}, err
}

// cpus are the CPU times of the server and of a database that is another process.
func (p *process) cpus() (own, database time.Duration, err error) {
	if own, err = p.cpu(); err == nil && p.url != "" {
		database, err = databaseCPU(p.url)
	}
	return own, database, err
}

// rounds are taken in turn, product and floor, and the medians kept: what disturbs the machine disturbs both.
const rounds = 3

// measure asks both servers in turn.
func measure(ctx context.Context, o options, product, floor *process, of [2]asking) (out [2]figures, err error) {
	var p50s, cpus, boths [2][]time.Duration
	var rates [2][]float64
	for range rounds {
		for i, p := range []*process{product, floor} {
			d, size, err := p.single(ctx, of[i], o.each/2)
			if err != nil {
				return out, err
			}
			many, err := p.many(ctx, of[i], 16, o.each)
			if err != nil {
				return out, err
			}
			out[i].size = size
			p50s[i], cpus[i], boths[i], rates[i] = append(p50s[i], d), append(cpus[i], many.cpu), append(boths[i], many.both), append(rates[i], many.rate)
		}
	}
	for i := range out {
		out[i].p50, out[i].cpu, out[i].both, out[i].rate = median(p50s[i]), median(cpus[i]), median(boths[i]), median(rates[i])
	}
	return out, nil
}

func median[T int64 | float64 | time.Duration](of []T) T {
	slices.Sort(of)
	return of[len(of)/2]
}

// figures notes the three figures of a comparison; the ratio is how much worse the product is.
func (t *table) figures(what string, of [2]figures, target string) {
	p, f := of[0], of[1]
	t.add(what+": p50 at 1", ms(p.p50), ms(f.p50), float64(p.p50)/float64(f.p50), "")
	t.add(what+": answers/s at 16", fmt.Sprintf("%.0f", p.rate), fmt.Sprintf("%.0f", f.rate), f.rate/p.rate, "")
	t.add(what+": server CPU an answer", ms(p.cpu), ms(f.cpu), float64(p.cpu)/float64(f.cpu), target)
	if p.both != p.cpu {
		t.add(what+": CPU of server and database an answer", ms(p.both), ms(f.both), float64(p.both)/float64(f.both), target)
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d.Microseconds())/1000) }
