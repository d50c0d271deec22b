package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/store"
)

// texts are the files of packs, by the code of the pack and the path; nil = the file is not there.
type texts map[string]map[string]*string

func (t texts) set(pack, path string, text *string) {
	if t[pack] == nil {
		t[pack] = map[string]*string{}
	}
	t[pack][path] = text
}

func (t texts) get(pack, path string) (text *string, known bool) {
	text, known = t[pack][path]
	return text, known
}

// development is what `sluice dev` keeps between two turns. App.swap guards it.
type development struct {
	served  texts // what was compiled last, of the packs on disk
	offers  []Offer
	allowed map[string]bool // offers that were answered with drop
}

// servedSetting keeps the models and roles that dev served last: a start that meets a removed property can go on with them.
const servedSetting = "served"

// holdRounds bounds how often files are held back and the rest is compiled again.
const holdRounds = 8

// turned is what a turn of dev found.
type turned struct {
	catalog *catalog.Catalog // to be served; nil = nothing that can be
	plan    *store.Plan      // of the catalog
	told    diag.List        // errors and blocked steps of what is held back, and all warnings
	offers  []Offer
	served  texts
	blocked error // why there is no catalog
}

// turn compiles the packs as they are now. A file with errors, or one whose change asks for steps that nobody has confirmed, is left as it
// was served before, so that others are served meanwhile.
func (a *App) turn(ctx context.Context, d Documents) (*turned, error) {
	now, dirs, err := d.texts()
	if err != nil {
		return nil, err
	}
	out, held := &turned{}, texts{}
	hold := func(file string) bool {
		for code, dir := range dirs {
			name, in := strings.CutPrefix(file, dir+"/")
			if !in {
				continue
			}
			before, known := a.dev.served.get(code, name)
			text, there := now.get(code, name)
			if _, already := held.get(code, name); already || !known && !there || DigestOf(before) == DigestOf(text) || a.dev.served[code] == nil {
				return false
			}
			held.set(code, name, before)
			return true
		}
		return false
	}
	for range holdRounds {
		d.Held = now.with(held) // what stands in the files is read once: they may change meanwhile
		c, list, err := a.compiled(d)
		if err != nil {
			return nil, err
		}
		more := false
		if c == nil {
			for _, p := range list {
				if p.Severity == diag.Error {
					more = hold(p.File) || more
					if len(out.offers) == 0 { // else it comes of what is held
						out.told = append(out.told, p)
					}
				}
			}
			if !more {
				out.told, out.blocked = list, &Faulty{List: list}
				return out, nil
			}
			continue
		}
		p, err := a.db.Plan(ctx, c.Storage, store.PlanOptions{Dev: a.cfg.Dev, Version: c.Version})
		if err != nil {
			return nil, err
		}
		var open []store.Step
		for _, s := range p.Steps {
			if s.Class == store.Impossible || s.Class != store.Safe && !a.dev.allowed[stepID(s)] {
				open = append(open, s)
			}
		}
		open = append(open, a.rolesGone(dirs, p, hold)...)
		if len(open) == 0 {
			for _, w := range list {
				if w.Severity == diag.Warning {
					out.told = append(out.told, w)
				}
			}
			out.catalog, out.plan, out.served = c, p, now.with(held)
			return out, nil
		}
		for _, s := range open {
			file := position(s.At).File
			if file == "" {
				file = a.modelFile(dirs, s.Model)
			}
			more = hold(file) || s.Action == removeRole || more
			if s.Class == store.Impossible { // there is nothing to answer
				out.told = append(out.told, diag.New("PLAN003", positionOr(s.At, file), s.Text))
				continue
			}
			offer := a.offer(dirs, s, p, file)
			for _, come := range offer.comes { // until it is known whether it is the same
				more = hold(come) || more
			}
			out.offers = append(out.offers, offer)
			out.told = append(out.told, diag.New("PLAN002", positionOr(s.At, file), s.Text, diag.Text{Zh: offer.ways("zh"), En: offer.ways("en")}))
		}
		if !more {
			out.blocked = &Blocked{Plan: p}
			return out, nil
		}
	}
	out.blocked = errors.New("too many files hold each other back")
	return out, nil
}

// with is the texts with others over them.
func (t texts) with(over texts) texts {
	out := texts{}
	for _, from := range []texts{t, over} {
		for pack, files := range from {
			for path, text := range files {
				out.set(pack, path, text)
			}
		}
	}
	return out
}

// texts are the documents of the packs on disk, and the folder of each.
func (d Documents) texts() (texts, map[string]string, error) {
	folders, _, err := d.Folders()
	if err != nil {
		return nil, nil, err
	}
	out, dirs := texts{}, map[string]string{}
	for _, f := range folders {
		if f.Embedded {
			continue
		}
		dirs[f.Code] = f.Dir
		files, err := d.files(f)
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			out.set(f.Code, file.Path, file.Text)
		}
	}
	return out, dirs, nil
}

// modelFile is the file of a model that was served.
func (a *App) modelFile(dirs map[string]string, model string) string {
	code, _, _ := strings.Cut(model, ".")
	for pack, files := range a.dev.served {
		for name := range files {
			if strings.EqualFold(name, "models/"+code+".json") {
				return path.Join(dirs[pack], name)
			}
		}
	}
	return ""
}

func positionOr(at, file string) diag.Position {
	if at != "" {
		return position(at)
	}
	return diag.Position{File: file}
}

// reloadDev serves what can be served of the packs as they are now, and tells of the rest.
func (a *App) reloadDev(ctx context.Context) (diag.List, error) {
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	t, err := a.turn(ctx, d)
	if err != nil {
		return nil, err
	}
	faults := diag.List{}
	for _, p := range t.told {
		if p.Severity == diag.Error {
			faults = append(faults, p)
		}
	}
	a.dev.offers = t.offers
	if t.catalog == nil {
		if f := (*Faulty)(nil); errors.As(t.blocked, &f) {
			a.tell(faults, t.offers)
			return t.told, nil
		}
		return t.told, t.blocked // whoever turns tells it
	}
	if t.catalog.Digest != a.State().Catalog.Digest {
		if err := a.db.Apply(ctx, t.plan, store.ApplyOptions{Yes: true, AllowDestructive: true, At: a.Now(), Publish: d.Following()}); err != nil {
			return t.told, fmt.Errorf("bring the database to the documents: %w", err)
		}
		if d.writesFollowing() {
			t.catalog.Version++
		}
		if _, err := a.use(ctx, t.catalog); err != nil {
			return t.told, err
		}
		a.announce("catalog", t.catalog.Digest)
		a.catchUp()
	}
	a.dev.allowed = nil
	a.tell(faults, t.offers)
	return t.told, a.keepServed(ctx, t.served)
}

// tell shows the open pages what is wrong, and what can be done about steps that wait for an answer.
func (a *App) tell(faults diag.List, offers []Offer) {
	type told struct {
		diag.Diagnostic
		Offer *Offer `json:"offer,omitempty"`
	}
	out := make([]told, len(faults))
	next := 0
	for i, p := range faults {
		out[i].Diagnostic = p
		if p.Code == "PLAN002" && next < len(offers) {
			out[i].Offer = &offers[next]
			next++
		}
	}
	a.announce("diagnostics", out)
}

// beginHolding begins with what dev served before, where the files ask for steps that nobody has confirmed. What they are, the first turn
// tells.
func (a *App) beginHolding(ctx context.Context, blocked error) (*catalog.Catalog, diag.List, error) {
	if err := a.recallServed(ctx, a.cfg.Documents); err != nil {
		return nil, nil, err
	}
	t, err := a.turn(ctx, a.cfg.Documents)
	if err != nil {
		return nil, nil, err
	}
	if t.catalog == nil {
		return nil, nil, blocked
	}
	return t.catalog, nil, a.migrate(ctx, t.catalog)
}

// remembered reports whether a file is one that the next start has to know of: a model or a role.
func remembered(name string) bool {
	return strings.HasPrefix(name, modelFolder+"/") || strings.HasPrefix(name, accessFolder+"/")
}

// knowsRoles reports whether what was remembered of a pack has roles: an earlier program remembered models alone.
func knowsRoles(files map[string]*string) bool {
	for name := range files {
		if strings.HasPrefix(name, accessFolder+"/") {
			return true
		}
	}
	return false
}

// keepServed remembers what is served, models and roles also for the next start.
func (a *App) keepServed(ctx context.Context, served texts) error {
	a.dev.served = served
	models := texts{}
	for pack, files := range served {
		for name, text := range files {
			if remembered(name) {
				models.set(pack, name, text)
			}
		}
	}
	text, err := json.Marshal(models)
	if err != nil {
		return err
	}
	return keepSetting(ctx, a.db, servedSetting, string(text))
}

// recallServed reads what dev served before this start. Of other files than models nothing is known: they count as they are.
func (a *App) recallServed(ctx context.Context, d Documents) error {
	text, err := readSetting(ctx, a.db, servedSetting)
	if err != nil || text == "" {
		return err
	}
	var models texts
	if err := json.Unmarshal([]byte(text), &models); err != nil {
		return fmt.Errorf("the setting %s: %w", servedSetting, err)
	}
	now, _, err := d.texts()
	if err != nil {
		return err
	}
	for pack, files := range models {
		if now[pack] == nil {
			continue
		}
		for name := range now[pack] {
			if _, known := files[name]; remembered(name) && !known && (strings.HasPrefix(name, modelFolder+"/") || knowsRoles(files)) {
				now.set(pack, name, nil) // one that has never been served
			}
		}
		for name := range maps.Keys(files) {
			now.set(pack, name, files[name])
		}
	}
	a.dev.served = now
	return nil
}
