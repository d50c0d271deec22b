package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

const (
	listPath = "/api/runtime/query/list"
	from, to = "2024-03-01", "2026-09-30"
	rareWord = "复检"
)

// productList is the body of the product's list call.
func productList(page int, cursor, filters string) string {
	tail := ""
	if cursor != "" {
		tail = `,"cursor":"` + cursor + `"`
	}
	return fmt.Sprintf(`{"schemaCode":"inspection","queryCode":"inspection_bench","page":%d,"size":20,"filters":[%s]%s}`, page, filters, tail)
}

func dates(from, to string) string {
	return fmt.Sprintf(`{"propertyCode":"checkDate","propertyValue":"%s;%s"}`, from, to)
}

// distinct makes date ranges that no request had before: the total of each must be counted.
func distinct(n int) (string, string) {
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, n/450%450).Format(time.DateOnly), first.AddDate(0, 0, 900-n%450).Format(time.DateOnly)
}

func measureLists(ctx context.Context, o options, t *table, large, small place) error {
	cold, busy, product, err := coldStart(ctx, o, large)
	if err != nil {
		return err
	}
	defer product.stop()
	idle, err := product.rss()
	if err != nil {
		return err
	}
	t.add("cold start to the first list answer", ms(cold), "-", 0, "< 200 ms")
	t.add("server CPU until then", ms(busy), "-", 0, "")
	t.add("RSS after the first answer", fmt.Sprintf("%.0f MiB", idle), "-", 0, "< 80 MiB")
	bare, err := start(ctx, o, "floor", large)
	if err != nil {
		return err
	}
	defer bare.stop()
	m := &comparison{o: o, t: t, product: product, floor: bare, token: large.reader}
	if err := m.pages(ctx, o.rows); err != nil {
		return err
	}
	if o.first {
		return nil
	}
	if err := m.growth(ctx, small); err != nil {
		return err
	}
	if idle, err = product.rss(); err == nil {
		t.add("RSS after the load", fmt.Sprintf("%.0f MiB", idle), "-", 0, "")
	}
	return err
}

// coldStart is the time from the start of the process to its first list answer, and the CPU time that it took.
func coldStart(ctx context.Context, o options, p place) (cold, busy time.Duration, running *process, err error) {
	var took, used []time.Duration
	for {
		begun := time.Now()
		product, err := start(ctx, o, "product", p)
		if err != nil {
			return 0, 0, nil, err
		}
		a := asking{listPath, p.reader, constant(productList(0, "", dates(from, to)))}
		_, err = product.ask(ctx, a)
		took = append(took, time.Since(begun))
		if err == nil {
			busy, err = product.cpu()
		}
		if err != nil {
			product.stop()
			return 0, 0, nil, err
		}
		if used = append(used, busy); len(took) == rounds {
			return median(took), median(used), product, nil
		}
		product.stop()
	}
}

// comparison is the product and the floor beside each other.
type comparison struct {
	o              options
	t              *table
	product, floor *process
	token          string
}

func (m *comparison) pair(product, floor func(n int) []byte) [2]asking {
	return [2]asking{{listPath, m.token, product}, {"/list", m.token, floor}}
}

// both measures one request each, after making sure that both find the same number of rows.
func (m *comparison) both(ctx context.Context, product, floor string) ([2]figures, error) {
	of := m.pair(constant(product), constant(floor))
	var totals [2]int
	for i, p := range []*process{m.product, m.floor} {
		answer, err := p.ask(ctx, of[i])
		if err != nil {
			return [2]figures{}, err
		}
		d, err := decode(answer)
		if err != nil {
			return [2]figures{}, err
		}
		totals[i] = d.Data.Total
	}
	if totals[0] != totals[1] {
		return [2]figures{}, fmt.Errorf("the product finds %d rows, the floor %d", totals[0], totals[1])
	}
	return measure(ctx, m.o, m.product, m.floor, of)
}

func floorBody(in floorRequest) string {
	b, err := json.Marshal(in)
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	return string(b)
}

func (m *comparison) pages(ctx context.Context, rows int) error {
	first, err := m.both(ctx, productList(0, "", dates(from, to)), floorBody(floorRequest{From: from, To: to}))
	if err != nil {
		return err
	}
	m.t.figures(fmt.Sprintf("list page, names, total from memory (%d and %d bytes)", first[0].size, first[1].size), first, "1.5")
	if m.o.first {
		return nil
	}
	exact, err := measure(ctx, m.o, m.product, m.floor, m.pair(func(n int) []byte {
		a, b := distinct(n)
		return []byte(productList(0, "", dates(a, b)))
	}, func(n int) []byte {
		a, b := distinct(n)
		return []byte(floorBody(floorRequest{From: a, To: b, Exact: true}))
	}))
	if err != nil {
		return err
	}
	m.t.figures("the same, total counted each time", exact, "1.5")
	if err := m.deep(ctx, rows, first); err != nil {
		return err
	}
	found, err := m.both(ctx, productList(0, "", `{"propertyCode":"part","propertyValue":"`+rareWord+`","queryFilterType":"Contains"}`), floorBody(floorRequest{Word: rareWord, Exact: true}))
	if err != nil {
		return err
	}
	m.t.add("contains a rare word of two characters, against a scan: p50 at 1", ms(found[0].p50), ms(found[1].p50), float64(found[0].p50)/float64(found[1].p50), "0.01 at 1M rows")
	example := asking{listPath, m.token, constant(fmt.Sprintf(`{"schemaCode":"inspection","queryCode":"inspection","page":0,"size":20,"filters":[%s]}`, dates(from, to)))}
	p50, size, err := m.product.single(ctx, example, m.o.each)
	if err == nil {
		m.t.add(fmt.Sprintf("the example's own list (sub-table cells, joined columns, sums; %d bytes): p50 at 1", size), ms(p50), "-", 0, "")
	}
	return err
}

// deep compares a page far behind with the first: by cursor, and by its number.
func (m *comparison) deep(ctx context.Context, rows int, first [2]figures) error {
	page := min(10_000, rows/3/20*8/10)
	body := productList(page-1, "", dates(from, to))
	answer, err := m.product.ask(ctx, asking{listPath, m.token, constant(body)})
	if err != nil {
		return err
	}
	d, err := decode(answer)
	if err != nil || d.Data.Next == nil {
		return fmt.Errorf("page %d has no next one: %w", page-1, err)
	}
	p50, _, err := m.product.single(ctx, asking{listPath, m.token, constant(productList(page, *d.Data.Next, dates(from, to)))}, m.o.each)
	if err != nil {
		return err
	}
	again, _, err := m.product.single(ctx, asking{listPath, m.token, constant(productList(0, "", dates(from, to)))}, m.o.each)
	if err != nil {
		return err
	}
	m.t.add(fmt.Sprintf("page %d by cursor, against page 1: p50 at 1", page), ms(p50), ms(again), float64(p50)/float64(again), "1.2")
	jump, err := m.both(ctx, productList(page, "", dates(from, to)), floorBody(floorRequest{From: from, To: to, Offset: page * 20}))
	if err != nil {
		return err
	}
	m.t.add(fmt.Sprintf("jump to page %d: p50 at 1", page), ms(jump[0].p50), ms(jump[1].p50), float64(jump[0].p50)/float64(jump[1].p50), "")
	return nil
}

// growth compares the page on the large table with the same on one of a tenth.
func (m *comparison) growth(ctx context.Context, small place) error {
	other, err := start(ctx, m.o, "product", small)
	if err != nil {
		return err
	}
	defer other.stop()
	body := constant(productList(0, "", dates(from, to)))
	out, err := measure(ctx, m.o, m.product, other, [2]asking{{listPath, m.token, body}, {listPath, small.reader, body}})
	if err == nil {
		m.t.add("list page, ten times the rows: p50 at 1", ms(out[0].p50), ms(out[1].p50), float64(out[0].p50)/float64(out[1].p50), "1.3")
	}
	return err
}
