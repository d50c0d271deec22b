package pack

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Offer is a pack with code that a program holds, and that takes part only where it is asked for: a pack that takes part requires it, or it is
// named at the start. What does not take part is not registered: neither its documents nor its code.
type Offer struct {
	Path  string // its folder: plugins/quality
	Parts []Part // its extensions, then the pack itself
}

// Part is a folder with a Register function.
type Part struct {
	Path     string
	Register Registrar
}

// register adds an offer to a set.
func (o Offer) register(s *Set) error {
	for _, p := range o.Parts {
		if err := p.Register(s); err != nil {
			return fmt.Errorf("register %s: %w", p.Path, err)
		}
	}
	return nil
}

// Manifest is what of a pack.json decides which packs take part.
type Manifest struct {
	Code     string
	Requires []string
}

// ReadManifest reads pack.json of a folder, as far as it can be read; what is wrong with it the loading of the documents reports.
func ReadManifest(fsys fs.FS) Manifest {
	var in struct {
		Code     string            `json:"code"`
		Requires []json.RawMessage `json:"requires"`
	}
	text, err := fs.ReadFile(fsys, "pack.json")
	if err != nil {
		return Manifest{}
	}
	_ = json.Unmarshal(text, &in)
	out := Manifest{Code: in.Code}
	for _, r := range in.Requires {
		var code string
		if json.Unmarshal(r, &code) != nil {
			var object struct {
				Code string `json:"code"`
			}
			_ = json.Unmarshal(r, &object)
			code = object.Code
		}
		if code != "" {
			out.Requires = append(out.Requires, code)
		}
	}
	return out
}

// UnknownOffer is a name that no offered pack has.
type UnknownOffer struct {
	Name  string
	Names []string // that there are
}

func (e *UnknownOffer) Error() string {
	if len(e.Names) == 0 {
		return fmt.Sprintf("there is no pack %q to switch on: this program offers none", e.Name)
	}
	return fmt.Sprintf("there is no pack %q to switch on (there are %s)", e.Name, strings.Join(e.Names, ", "))
}

// Take registers the offers that take part, each behind those that it requires: the named ones, and what the packs of the set and the other
// packs that are loaded require. A loaded pack of the same code takes the documents' place and needs the code. The set remembers the others, so
// that a pack which requires one is told how to get it.
func (s *Set) Take(offers []Offer, named []string, loaded ...Manifest) error {
	manifests := make([]Manifest, len(offers))
	var names []string
	for i, o := range offers {
		aside := &Set{} // reads which documents it has
		if err := o.Parts[len(o.Parts)-1].Register(aside); err != nil {
			return fmt.Errorf("register %s: %w", o.Path, err)
		}
		for _, f := range aside.folders {
			manifests[i] = ReadManifest(f.FS)
		}
		names = append(names, manifests[i].Code)
	}
	slices.Sort(names)
	taken := make([]bool, len(offers))
	var take func(code string) (bool, error)
	take = func(code string) (bool, error) {
		i := slices.IndexFunc(manifests, func(m Manifest) bool { return m.Code != "" && strings.EqualFold(m.Code, code) })
		if i < 0 || taken[i] {
			return i >= 0, nil
		}
		taken[i] = true // first: packs that require each other end here
		for _, r := range manifests[i].Requires {
			if _, err := take(r); err != nil {
				return true, err
			}
		}
		s.taken = append(s.taken, manifests[i].Code)
		return true, offers[i].register(s)
	}
	for _, name := range named {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		switch known, err := take(name); {
		case err != nil:
			return err
		case !known:
			return &UnknownOffer{name, names}
		}
	}
	for _, f := range slices.Clone(s.folders) {
		loaded = append(loaded, Manifest{Requires: ReadManifest(f.FS).Requires})
	}
	for _, m := range loaded {
		for _, code := range append([]string{m.Code}, m.Requires...) {
			if _, err := take(code); err != nil {
				return err
			}
		}
	}
	for i, m := range manifests {
		if !taken[i] {
			s.offered = append(s.offered, m.Code)
		}
	}
	return nil
}

// Took reports whether an offered pack takes part, because it was named or another pack requires it.
func (s *Set) Took(code string) bool {
	return slices.ContainsFunc(s.taken, func(o string) bool { return strings.EqualFold(o, code) })
}

// Offers reports whether the program has a pack that does not take part.
func (s *Set) Offers(code string) bool {
	return slices.ContainsFunc(s.offered, func(o string) bool { return strings.EqualFold(o, code) })
}
