package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/record"
)

// TestValue: values are read as encoding/json reads them, whatever the text, apart from what is refused here.
func TestValue(t *testing.T) {
	t.Parallel()
	library := func(text string) (any, error) {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("more")
		}
		return v, nil
	}
	texts := []string{`null`, ` true `, `false`, `""`, `"闸室"`, `"a\"b\\\u00e9\ud83d\ude00\n"`, `"\ud800"`, "\"\xff\"", `1`, `-0.50e+3`, `12345678901234567890.123`, `[]`, ` [ 1 , "a" , [ null ] ] `,
		`{}`, `{ "a" : 1 , "b" : { "c" : [ true ] } }`, `[{"item":"平整度","points":"20","ok":true}]`,
		``, ` `, `nul`, `tru e`, `01`, `1.`, `.5`, `+1`, `--1`, `1 2`, `"a`, `"a" b`, "\"a\nb\"", `"\x"`, `"\u12"`, `[`, `[1`, `[1,]`, `[,1]`, `[1 2]`, `]`, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a" 1}`,
		`{"a":1 "b":2}`, `NaN`, `Infinity`, `'a'`, `"a"]`, `{"a":1}}`, "\x00", "1\x00"}
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range texts {
		for range 40 {
			changed := []byte(text)
			for range r.IntN(3) {
				if len(changed) > 0 {
					changed[r.IntN(len(changed))] = `{}[]:,"\ u0a1-.e`[r.IntN(16)]
				}
			}
			want, bad := library(string(changed))
			got, err := record.Value(changed)
			if bad == nil && err != nil && (errors.Is(err, record.ErrRepeatedKey)) {
				continue
			}
			require.Equal(t, bad == nil, err == nil, "%s: %v, %v", changed, bad, err)
			if err == nil {
				require.Equal(t, want, got, string(changed))
			}
		}
	}
	_, err := record.Value([]byte(`[{"a": 1, "A": 2}]`))
	require.ErrorIs(t, err, record.ErrRepeatedKey)
	for depth, ok := range map[int]bool{8: true, 9: false} {
		_, err = record.Value([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)))
		require.Equal(t, ok, err == nil, depth)
	}
}
