package store

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWordsOfSteps: a step that meets no record says nothing of records, one that does says how many, in both languages.
func TestWordsOfSteps(t *testing.T) {
	number := regexp.MustCompile(`\d`)
	for _, action := range []Action{CreateTable, AddColumn, Convert, Compute, Required, Reference, AddIndex} {
		s := Step{Action: action, Model: "lot", Property: "name", Column: "name", To: "unique"}
		none := s.text()
		require.NotRegexp(t, number, none.In("zh"), action)
		require.NotRegexp(t, number, none.In("en"), action)
		for count, words := range map[int64][2]string{1: {`1 (条记录|处)`, `\b1 (record|reference)\b`}, 12: {`12 (条记录|处)`, `\b12 (records|references)\b`}} {
			s.Count = count
			some := s.text()
			require.Regexp(t, words[0], some.In("zh"), action)
			require.Regexp(t, words[1], some.In("en"), action)
			require.NotEqual(t, none, some)
		}
	}
}
