package query_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestKeyword: a keyword finds names by their characters and sounds, and the texts that authors marked; what the caller may not
// read finds nothing for them, and the list's plan says what is left.
func TestKeyword(t *testing.T) {
	c := catalogOf(t, "testdata/keyword.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		w.put("lot", map[string]values{"闸室": {"number": "LOT-17", "remark": "Concrete C30", "note": "aside", "sequenceNo": "SEQ-17"}, "底板": {"number": "B-30", "remark": "none"}})
		for _, x := range []struct{ role, searched, word, want string }{
			{"all", "number remark name sequenceNo", "闸室", "LOT-17"},
			{"all", "number remark name sequenceNo", "C30 闸室", "LOT-17"}, // each word, in whatever text
			{"all", "number remark name sequenceNo", " zs　lot-1 ", "LOT-17"},
			{"all", "number remark name sequenceNo", "闸室 B-30", ""},
			{"all", "number remark name sequenceNo", "30 none", "B-30"},
			{"all", "number remark name sequenceNo", "底板", "B-30"},
			{"reader", "number name sequenceNo", "闸室 concrete", ""}, // a word of a hidden text finds nothing
			{"uncounted", "number remark name", "seq-17", ""},
			{"all", "number remark name sequenceNo", "SEQ-17", "LOT-17"},
			{"all", "number remark name sequenceNo", "seq-17 c30", "LOT-17"},
			{"all", "number remark name sequenceNo", strings.Repeat("a ", 17), "100003"},
			{"all", "number remark name sequenceNo", "zs", "LOT-17"},
			{"all", "number remark name sequenceNo", "lot-1", "LOT-17"},
			{"all", "number remark name sequenceNo", "ｌｏｔ－１　Ｃ３０", "LOT-17"},
			{"all", "number remark name sequenceNo", "30", "B-30 LOT-17"},
			{"all", "number remark name sequenceNo", "3", "B-30 LOT-17"},
			{"all", "number remark name sequenceNo", "aside", ""},
			{"reader", "number name sequenceNo", "30", "B-30"},
			{"reader", "number name sequenceNo", "concrete", ""},
			{"nameless", "number remark sequenceNo", "闸室", ""},
			{"nameless", "number remark sequenceNo", "lot", "LOT-17"},
			{"blind", "", "lot", "refused"},
		} {
			view := w.rights("clerk", x.role)
			config, err := w.Config(view, "lot", "")
			must(t, err)
			var codes []string
			for _, s := range config.Searched {
				codes = append(codes, s.PropertyCode)
			}
			if got := strings.Join(codes, " "); got != x.searched || config.Searchable != (x.searched != "") {
				t.Errorf("%s searches %q (%v), want %q", x.role, got, config.Searchable, x.searched)
			}
			p, err := w.list(view, query.ListRequest{Keyword: x.word})
			var got []string
			for _, row := range p.Content {
				number, _ := row.Data["number"].(string)
				got = append(got, number)
			}
			if fault.Of(err) == fault.FieldUnknown {
				got = []string{"refused"}
			}
			if fault.Of(err) == fault.BadParameter {
				got = []string{"100003"}
			}
			if strings.Join(got, " ") != x.want || p.TotalElements != len(p.Content) {
				t.Errorf("%s finds %v by %q, want %q (%v)", x.role, got, x.word, x.want, err)
			}
		}
	})
}
