package diag_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sluice-platform/sluice/engine/diag"
)

func TestNearest(t *testing.T) {
	words := []string{"amount", "quantity", "part", "propertyType", "a", "result"}
	for word, want := range map[string]string{
		"amuont":         "amount", // a swap is one edit
		"amout":          "amount",
		"AMOUNT":         "amount",
		"amnt":           "",
		"prat":           "part",
		"past":           "part",
		"pt":             "",
		"propertytpe":    "propertyType",
		"properties":     "",
		"x":              "",
		"A":              "a",
		"":               "",
		"resultat":       "result",
		"quantité":       "quantity",
		"sequenceNumber": "",
	} {
		if got := diag.Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := diag.Nearest("部为", []string{"部位", "部门"}); got != "部位" {
		t.Errorf("of equally near words the first one is taken, got %q", got)
	}
}

func TestMessagesAreComplete(t *testing.T) {
	placeholder := regexp.MustCompile(`\{\d\}`)
	for _, code := range diag.Codes() {
		d := diag.New(code, diag.Position{File: "f"})
		for what, text := range map[string]string{"zh": d.Zh, "en": d.En, "repairZh": d.Repair.Zh, "repairEn": d.Repair.En} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", code, what)
			}
		}
		if d.Severity != diag.Error && d.Severity != diag.Warning {
			t.Errorf("%s has severity %q", code, d.Severity)
		}
		set := func(s string) map[string]bool {
			out := map[string]bool{}
			for _, p := range placeholder.FindAllString(s, -1) {
				out[p] = true
			}
			return out
		}
		if diff := cmp.Diff(set(d.Zh), set(d.En)); diff != "" {
			t.Errorf("%s: the languages name different arguments: %s", code, diff)
		}
	}
}

func TestNewFillsEachLanguage(t *testing.T) {
	d := diag.New("SCHEMA004", diag.Position{File: "a.json", Line: 2, Col: 3}, diag.Text{Zh: "此项", En: "the entry"}, "{0}", 7)
	if d.Zh != "此项应为{0}，实际是7" || d.En != "the entry must be {0}, not 7" {
		t.Errorf("zh %q, en %q", d.Zh, d.En)
	}
}

func list() diag.List {
	return diag.List{
		diag.New("SCHEMA001", diag.Position{File: "b/列表.json", Line: 4, Col: 7}, "nmae", "name").Suggest("nmae", []string{"name"}).At("/nmae"),
		diag.New("DOC007", diag.Position{File: "a b/x.yaml"}, "x.yaml"),
	}
}

func TestWriteText(t *testing.T) {
	for locale, want := range map[string]string{
		"zh": "a b/x.yaml: warning DOC007 \"x.yaml\" 不是包的一部分，已忽略\n  修改：移到所属的文件夹，或删除\n" +
			"b/列表.json:4:7: error SCHEMA001 未知的键 \"nmae\"（是否想写 \"name\"？）\n  修改：改为 \"name\"\n",
		"en": "a b/x.yaml: warning DOC007 \"x.yaml\" is not part of a pack and is ignored\n  repair: move it to the right folder, or delete it\n" +
			"b/列表.json:4:7: error SCHEMA001 unknown key \"nmae\" (did you mean \"name\"?)\n  repair: write \"name\"\n",
	} {
		var b bytes.Buffer
		if err := diag.WriteText(&b, list(), locale); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	if err := diag.WriteJSON(&b, list()); err != nil {
		t.Fatal(err)
	}
	var back struct{ Diagnostics diag.List }
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list().Sorted(), back.Diagnostics); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := diag.WriteJSON(&b, nil); err != nil || !strings.Contains(b.String(), `"diagnostics": []`) {
		t.Errorf("an empty list must be an empty array: %s %v", b.String(), err)
	}
}

func TestWriteSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := diag.WriteSARIF(&b, list(), "1.0.0", "en"); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	if doc.Version != "2.1.0" || run.ColumnKind != "unicodeCodePoints" || len(run.Results) != 2 {
		t.Fatalf("unexpected head: %s", b.String())
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result of %s points at rule %s", r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
	}
	whole, exact := run.Results[0].Locations[0].PhysicalLocation, run.Results[1].Locations[0].PhysicalLocation
	if whole.ArtifactLocation.URI != "a%20b/x.yaml" || whole.Region != nil || run.Results[0].Level != "warning" {
		t.Errorf("a whole file: %+v", whole)
	}
	if exact.Region == nil || exact.Region.StartLine != 4 || exact.Region.StartColumn != 7 {
		t.Errorf("a place in a file: %+v", exact)
	}
}

// A value that the schema refused is not refused again by the stage that reads it; everything else stays.
func TestWith(t *testing.T) {
	at := func(line, col int) diag.Position { return diag.Position{File: "a.json", Line: line, Col: col} }
	early := diag.List{diag.New("SCHEMA009", at(1, 5), "x", 9), diag.New("SCHEMA003", at(2, 1), "code"), diag.New("DOC007", at(0, 0), "x")}
	later := diag.List{diag.New("PROP001", at(1, 5)), diag.New("MODEL001", at(1, 6)), diag.New("REL001", at(2, 1)), diag.New("PACK008", at(0, 0))}
	var got []string
	for _, d := range early.With(later) {
		got = append(got, d.Code)
	}
	if diff := cmp.Diff([]string{"SCHEMA009", "SCHEMA003", "DOC007", "MODEL001", "REL001", "PACK008"}, got); diff != "" {
		t.Error(diff)
	}
}
