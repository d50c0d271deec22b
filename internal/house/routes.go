package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// address is a call of the contract, as schemas/api.yaml writes it.
var address = regexp.MustCompile(`(?m)^  (/[a-zA-Z][^\s:]*):`)

func (t *tree) readAddresses(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "schemas", "api.yaml"))
	if os.IsNotExist(err) {
		return nil // another project
	}
	for _, m := range address.FindAllStringSubmatch(string(text), -1) {
		t.addresses[m[1]] = true
	}
	return err
}

var (
	// registered is the literal of a route in Go; its address is the first group when it is one text.
	registered = regexp.MustCompile(`\broute\{method: [^,]+, path: ("[^"]*"(?: \+ \w+)?|[^,]+),`)
	whole      = regexp.MustCompile(`^"[^"]*"$`)
	// joined is an address in TypeScript that is put together of parts other than parameters at whole steps of the path.
	joined = regexp.MustCompile("`(/api/[^`]*)`|'(/api/[^']*)' \\+|\"(/api/[^\"]*)\" \\+")
	// parameter is a step of an address that is a value.
	parameter = regexp.MustCompile(`/\$\{[^{}]*\}`)
)

// routes are addresses of calls that a search for the address does not find: in Go those of a registered route, in TypeScript those that are
// asked; and registered routes that go on behind their second line.
func routes(f *file) (out []Finding) {
	if f.test() {
		return nil
	}
	for i, l := range f.lines {
		if strings.HasSuffix(f.name, ".go") {
			m := registered.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			if !whole.MatchString(m[1]) {
				out = append(out, f.found("routes", i+1, "the address is put together: "+m[1]))
			}
			if strings.HasSuffix(l, "{") && i+2 < len(f.lines) && !strings.HasPrefix(strings.TrimSpace(f.lines[i+1]), "}") {
				out = append(out, f.found("routes", i+1, "the handler is in the literal: "+l))
			}
			continue
		}
		for _, m := range joined.FindAllStringSubmatch(l, -1) {
			text := m[1] + m[2] + m[3]
			if before, _, query := strings.Cut(text, "?"); query {
				text = before
			}
			if m[1] == "" || strings.Contains(parameter.ReplaceAllString(text, "/{}"), "${") || !f.tree.known(text) {
				out = append(out, f.found("routes", i+1, "the address is put together: "+text))
			}
		}
	}
	return out
}

// known reports whether an address with values in it is one of the contract.
func (t *tree) known(text string) bool {
	want := strings.Split(parameter.ReplaceAllString(text, "/{}"), "/")
next:
	for a := range t.addresses {
		have := strings.Split(a, "/")
		if len(have) != len(want) {
			continue
		}
		for i, part := range have {
			if strings.HasPrefix(part, "{") != (want[i] == "{}") || want[i] != "{}" && want[i] != part {
				continue next
			}
		}
		return true
	}
	return false
}
