package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/secret"
)

// TestNothingShowsIt tries the ways in which a text gets out by accident.
func TestNothingShowsIt(t *testing.T) {
	type form struct {
		Password secret.Text `json:"password"`
	}
	var in form
	if err := json.Unmarshal([]byte(`{"password": "Morning-1"}`), &in); err != nil || in.Password.Reveal() != "Morning-1" {
		t.Fatalf("read %q, %v", in.Password.Reveal(), err)
	}
	var out bytes.Buffer
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&out, verb+"\n"+verb+"\n", in, in.Password)
	}
	fmt.Fprintln(&out, fmt.Errorf("refused: %w", fmt.Errorf("%v", in.Password)))
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("sign in", "password", in.Password, "form", in, "list", []secret.Text{in.Password})
	}
	for _, shown := range []string{"Morning", fmt.Sprintf("%x", "Morning-1"), fmt.Sprintf("%X", "Morning-1")} {
		if strings.Contains(out.String(), shown) {
			t.Errorf("it shows %s:\n%s", shown, &out)
		}
	}
	if text, err := json.Marshal(in); err == nil {
		t.Errorf("marshalled as %s", text)
	}
}
