package compile

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/schemas"
)

// platformRoutes are the calls of schemas/api.yaml, which no pack can take.
var platformRoutes = sync.OnceValue(func() (out []*catalog.Route) {
	text, err := schemas.FS.ReadFile("api.yaml")
	var api struct {
		Paths map[string]map[string]yaml.Node `yaml:"paths"`
	}
	if err == nil {
		err = yaml.Unmarshal(text, &api)
	}
	if err != nil {
		panic("schemas/api.yaml: " + err.Error()) // it is part of the program
	}
	for path, methods := range api.Paths {
		for method := range methods {
			out = append(out, catalog.NewRoute(strings.ToUpper(method), path))
		}
	}
	slices.SortFunc(out, func(a, b *catalog.Route) int { return strings.Compare(a.Path, b.Path) })
	return out
})

var (
	routeSegment = regexp.MustCompile(`^([a-zA-Z0-9_.-]+|\{[a-zA-Z][a-zA-Z0-9_]{0,62}\})$`)
	dots         = regexp.MustCompile(`^\.+$`)
)

// firstCause is the last line of a validator's tree of causes: what is wrong, and where.
func firstCause(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return strings.Trim(lines[len(lines)-1], " -")
}

// compileRoutes binds the calls of packs to the actions of the program. It runs behind the models, whose codes it resolves.
func (c *compiler) compileRoutes() {
	at := map[*catalog.Route]string{}
	c.rightsOfRoutes = map[*catalog.Route]*source.Node{}
	for _, p := range c.packs {
		for _, d := range p.Routes {
			r := c.route(p, d)
			if r == nil {
				continue
			}
			if first := c.taken(r); first != nil {
				c.report("PACK023", member(d.Node, "path"), d.Method, d.Path, first.Path, at[first])
				continue
			}
			at[r] = d.Node.Pos().String()
			if r.Right != "" {
				c.rightsOfRoutes[r] = member(d.Node, "right")
			}
			c.cat.Routes = append(c.cat.Routes, r)
		}
	}
}

// taken finds the route of a pack that answers the same calls.
func (c *compiler) taken(r *catalog.Route) *catalog.Route {
	i := slices.IndexFunc(c.cat.Routes, func(o *catalog.Route) bool {
		_, same := r.Overlaps(o)
		return same && o.Method == r.Method
	})
	if i < 0 {
		return nil
	}
	return c.cat.Routes[i]
}

// route compiles one route; nil when it is at fault.
func (c *compiler) route(p *def.Pack, d def.Route) *catalog.Route {
	if d.Action == "" || d.Method == "" || d.Path == "" {
		return nil // which the schema reports
	}
	before := len(c.out)
	r := catalog.NewRoute(d.Method, d.Path)
	r.Pack, r.Description = p.Code, d.Description
	c.routePath(r, d)
	if d.SchemaCode != "" {
		if m, ok := lookup(c, &c.models, d.SchemaCode, member(d.Node, "schemaCode"), "PACK019"); ok {
			r.Model = m.Model
		}
	}
	if r.Right = d.Right; d.Right != "" && d.SchemaCode == "" {
		c.report("PACK034", member(d.Node, "right"))
	}
	c.routeAction(r, d)
	if len(c.out) > before || d.SchemaCode != "" && r.Model == nil {
		return nil
	}
	return r
}

func (c *compiler) routePath(r *catalog.Route, d def.Route) {
	at := member(d.Node, "path")
	for _, s := range strings.Split(strings.TrimPrefix(d.Path, "/"), "/") {
		if !routeSegment.MatchString(s) || dots.MatchString(s) {
			c.report("PACK013", at, d.Path, s)
			return
		}
	}
	params := r.Parameters()
	for i, name := range params {
		if slices.Contains(params[:i], name) {
			c.report("PACK013", at, d.Path, "{"+name+"}")
			return
		}
	}
	for _, o := range platformRoutes() {
		if overlaps, _ := r.Overlaps(o); overlaps {
			c.report("PACK024", at, d.Path, o.Path)
			return
		}
	}
}

func (c *compiler) routeAction(r *catalog.Route, d def.Route) {
	at := member(d.Node, "action")
	a, ok := c.set.Actions.Get(d.Action)
	if !ok {
		c.suggest("PACK007", at, d.Action, c.set.Actions.Names())
		return
	}
	if r.Action, ok = a.(action.Endpoint); !ok {
		c.report("PACK016", at, d.Action)
		return
	}
	var err error
	if r.Input, err = action.CompileSchema(r.Action.Input()); err != nil {
		c.report("PACK017", at, d.Action, "Input", firstCause(err))
		return
	}
	if r.Output, err = action.CompileOutput(r.Action); err != nil {
		c.report("PACK017", at, d.Action, "Output", firstCause(err))
		return
	}
	_, uploads := a.(action.Uploader)
	_, downloads := a.(action.Downloader)
	switch {
	case uploads && r.Method != "POST" && r.Method != "PUT":
		c.report("PACK028", member(d.Node, "method"), d.Action, "POST, PUT")
	case downloads && r.Method != "GET" && r.Method != "POST":
		c.report("PACK028", member(d.Node, "method"), d.Action, "GET, POST")
	}
	for _, name := range r.Parameters() {
		if _, declared := r.Input.Property(name); !declared {
			c.report("PACK018", member(d.Node, "path"), name, d.Action)
		}
	}
}
