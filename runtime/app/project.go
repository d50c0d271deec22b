package app

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ProjectConfig is how projects are shown in the shell (api.yaml ProjectConfig). TreeModel is the model whose records are the
// projects; "" = there is one project.
type ProjectConfig struct {
	ID            string  `json:"id"`
	Single        bool    `json:"single"`
	SimpleQuality bool    `json:"simpleQualityFlag"`
	Title         string  `json:"title"`
	Logo          *string `json:"logo"`
	BimURL        *string `json:"bimUrl"`
	Multi         bool    `json:"multiProjectFlag"`
	TreeModel     string  `json:"treeModel"`
}

var projectCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

const projectSetting = "project/"

// ProjectConfig returns the configuration of a code; one that nobody wrote is that of a single project.
func (a *App) ProjectConfig(ctx context.Context, code string) (*ProjectConfig, error) {
	if !projectCode.MatchString(code) {
		return nil, fault.New(fault.BadParameter, "code")
	}
	out := &ProjectConfig{ID: code, Single: true}
	text, err := readSetting(ctx, a.db, projectSetting+code)
	if err != nil || text == "" {
		return out, err
	}
	return out, json.Unmarshal([]byte(text), out)
}

// SetProjectConfig writes the configuration of a code.
func (a *App) SetProjectConfig(ctx context.Context, view *authz.View, code string, in ProjectConfig) error {
	if !Brands(view) {
		return fault.New(fault.Forbidden)
	}
	if !projectCode.MatchString(code) {
		return fault.New(fault.BadParameter, "code")
	}
	in.ID = code
	if !isName(in.Title) {
		return fault.New(fault.BadParameter, "title")
	}
	if in.TreeModel != "" && view.Model(in.TreeModel) == nil {
		return fault.New(fault.ModelNotFound, in.TreeModel)
	}
	if in.Multi && in.TreeModel == "" {
		return fault.New(fault.EmptyParameter, "treeModel")
	}
	for name, address := range map[string]*string{"logo": in.Logo, "bimUrl": in.BimURL} {
		if address != nil && !safeAddress(*address) {
			return fault.New(fault.BadParameter, name)
		}
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row := setting{Name: projectSetting + code, Value: string(text)}
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Configured, Actor: view.User(), Name: view.Principal().Name, About: code,
			Detail: map[string]string{"name": in.Title}})
	})
}

// safeAddress reports whether an address is an https one, or a path of this server.
func safeAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || len(s) > 500 || strings.ContainsAny(s, "\\\t\r\n") {
		return false
	}
	return u.Scheme == "https" && u.Host != "" || u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//")
}

// ProjectNode is a project in the selector (api.yaml ProjectNode).
type ProjectNode struct {
	Title    string         `json:"title"`
	Value    string         `json:"value"`
	Key      string         `json:"key"`
	Children []*ProjectNode `json:"children"`
}

// ProjectTree are the projects that the caller may see, as a tree where their model is one. A project whose parent they may not see
// is at the top.
func (a *App) ProjectTree(ctx context.Context, view *authz.View, code string) ([]*ProjectNode, error) {
	config, err := a.ProjectConfig(ctx, code)
	if err != nil || config.TreeModel == "" || !config.Multi {
		return []*ProjectNode{}, err
	}
	m := view.Model(config.TreeModel)
	if m == nil || !view.Can(m, "view") {
		return []*ProjectNode{}, nil
	}
	records, err := a.reader.Forest(ctx, view, config.TreeModel, maxProjects)
	return forestOf(records), err
}

// maxProjects is how many projects a selector shows.
const maxProjects = 1000

// forestOf puts projects below the ones above them. What would be its own ancestor is at the top.
func forestOf(records []query.Placed) []*ProjectNode {
	nodes, above := map[string]*ProjectNode{}, map[string]string{}
	for _, r := range records {
		nodes[r.ID], above[r.ID] = &ProjectNode{Title: r.Name, Value: r.ID, Key: r.ID, Children: []*ProjectNode{}}, r.Parent
	}
	top := []*ProjectNode{}
	for _, r := range records {
		if parent := nodes[r.Parent]; parent != nil && !ringed(above, r.ID) {
			parent.Children = append(parent.Children, nodes[r.ID])
		} else {
			top = append(top, nodes[r.ID])
		}
	}
	return top
}

// ringed reports whether the way up from an id comes back to it.
func ringed(above map[string]string, id string) bool {
	at := above[id]
	for range above {
		if at == "" || at == id {
			break
		}
		at = above[at]
	}
	return at == id
}
