package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
)

// WriteText writes one diagnostic a line, "file:line:col: error CODE message", and what to do about it on the next. The
// locale is "zh" or "en".
func WriteText(w io.Writer, l List, locale string) error {
	for _, d := range l.Sorted() {
		message, repair, arrow := d.En, d.Repair.En, "  repair: "
		if locale == "zh" {
			message, repair, arrow = d.Zh, d.Repair.Zh, "  修改："
		}
		if _, err := fmt.Fprintf(w, "%s: %s %s %s\n", d.Position, d.Severity, d.Code, message); err != nil {
			return err
		}
		if repair == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", arrow, repair); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes the diagnostics as one JSON object with the texts of both languages.
func WriteJSON(w io.Writer, l List) error {
	sorted := l.Sorted()
	if sorted == nil {
		sorted = List{}
	}
	return write(w, map[string]any{"diagnostics": sorted})
}

// WriteSARIF writes the diagnostics in SARIF 2.1.0, which code hosts show beside the changed lines.
func WriteSARIF(w io.Writer, l List, version, locale string) error {
	rules, index := sarifRules(l, locale)
	results := []sarifResult{}
	for _, d := range l.Sorted() {
		text := d.En
		if locale == "zh" {
			text = d.Zh
		}
		at := sarifLocation{}
		at.Physical.Artifact.URI = uri(d.File)
		if d.Line > 0 {
			at.Physical.Region = &sarifRegion{d.Line, d.Col}
		}
		results = append(results, sarifResult{d.Code, index[d.Code], string(d.Severity), sarifText{text}, []sarifLocation{at}})
	}
	run := map[string]any{
		"tool":       map[string]any{"driver": map[string]any{"name": "sluice", "version": version, "rules": rules}},
		"columnKind": "unicodeCodePoints", // as Position counts
		"results":    results,
	}
	return write(w, map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    []any{run},
	})
}

type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
		Col  int `json:"startColumn"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
		Help sarifText `json:"help"`
	}
)

// sarifRules lists the codes that occur, once each, and where each is in the list.
func sarifRules(l List, locale string) ([]sarifRule, map[string]int) {
	rules, index := []sarifRule{}, map[string]int{}
	codes := map[string]Message{} // of a kind of a pack, its first text represents the rule
	for _, d := range slices.Backward(l) {
		codes[d.Code] = Message{Zh: d.Zh, En: d.En, RepairZh: d.Repair.Zh, RepairEn: d.Repair.En}
	}
	for i, code := range slices.Sorted(maps.Keys(codes)) {
		m, known := messages[code]
		if !known {
			m = codes[code]
		}
		rule := sarifRule{code, sarifText{m.En}, sarifText{m.RepairEn}}
		if locale == "zh" {
			rule = sarifRule{code, sarifText{m.Zh}, sarifText{m.RepairZh}}
		}
		rules, index[code] = append(rules, rule), i
	}
	return rules, index
}

// uri writes a path the way SARIF wants it: escaped, with slashes; relative paths stay relative.
func uri(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	return u.String()
}

func write(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
