package home

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Kind is what a place is.
type Kind string

// The kinds of places. Steps is the list of next steps, which a person can dismiss.
const (
	Page   Kind = "page"
	Record Kind = "record"
	Steps  Kind = "steps"
)

// Limits of a person's places.
const (
	MaxFavorites  = 50
	maxRecentApps = 4 // the platform's specification
	shown         = 6 // recent pages, and recent records
	kept          = 24
	again         = time.Minute // a place opened again within this time stays where it is
)

// Service keeps places. It is safe for concurrent use.
type Service struct {
	db     *store.DB
	reader *query.Reader
	clock  func() time.Time
}

// New makes a Service.
func New(db *store.DB, reader *query.Reader, clock func() time.Time) *Service {
	return &Service{db: db, reader: reader, clock: clock}
}

// Place names a page by its application and menu item, or a record by its model and id.
type Place struct {
	Kind  Kind   `json:"kind"`
	Place string `json:"place"`
	Code  string `json:"code"`
}

// Entry is a place as its reader may see it (api.yaml HomePlace). Node is set for pages, ModelName for records.
type Entry struct {
	Place
	Name          string            `json:"name"` // of a record; "" = it has none that the reader may see
	ModelName     string            `json:"modelName"`
	ModelNameI18n map[string]string `json:"modelName_i18n"`
	Node          *query.MenuNode   `json:"node"`
	Favorite      bool              `json:"favorite"`
	VisitedTime   time.Time         `json:"visitedTime"`
}

// Places are those of a person that they may still see.
type Places struct {
	RecentApps []string `json:"recentApps"` // codes, the last opened first
	Favorites  []Entry  `json:"favorites"`
	Pages      []Entry  `json:"pages"`
	Records    []Entry  `json:"records"`
	Dismissed  bool     `json:"-"` // the next steps
}

// Visit remembers that the caller opened a place. Places that they may not see are refused as if they did not exist.
func (s *Service) Visit(ctx context.Context, view *authz.View, p Place) error {
	if p != (Place{Kind: Steps}) {
		if err := s.sees(ctx, view, p); err != nil {
			return err
		}
	}
	now := s.clock().UTC().Truncate(time.Millisecond)
	user := view.User()
	return s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		var old visit
		if err := tx.System().Where(at(user, p)).Limit(1).Find(&old).Error; err != nil {
			return err
		}
		if old.UserID != "" {
			if now.Sub(old.VisitedAt) < again {
				return nil
			}
			return tx.System().Model(&visit{}).Where(at(user, p)).Update("visited_at", now).Error
		}
		row := visit{UserID: user, Kind: p.Kind, Place: p.Place, Code: p.Code, VisitedAt: now}
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		return forget(tx, user, p.Kind)
	})
}

// Favor marks a place as a favorite or takes the mark away, and reports whether it is one now: a person has MaxFavorites at most.
func (s *Service) Favor(ctx context.Context, view *authz.View, p Place, on bool) (bool, error) {
	if on {
		if err := s.sees(ctx, view, p); err != nil {
			return false, err
		}
	}
	user := view.User()
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if !on {
			return tx.System().Model(&visit{}).Where(at(user, p)).Update("favorite", false).Error
		}
		if err := tx.Lock(ctx, "favorites "+user); err != nil { // what is counted stays so
			return err
		}
		var marked []visit
		if err := tx.System().Where("user_id = ? AND favorite = ?", user, true).Find(&marked).Error; err != nil {
			return err
		}
		already := slices.ContainsFunc(marked, func(v visit) bool { return v.Kind == p.Kind && v.Place == p.Place && v.Code == p.Code })
		if on = already || len(marked) < MaxFavorites; !on || already {
			return nil
		}
		row := visit{UserID: user, Kind: p.Kind, Place: p.Place, Code: p.Code, VisitedAt: s.clock().UTC().Truncate(time.Millisecond), Favorite: true}
		return tx.System().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "user_id"}, {Name: "kind"}, {Name: "place"}, {Name: "code"}},
			DoUpdates: clause.AssignmentColumns([]string{"favorite"})}).Create(&row).Error
	})
	return on, err
}

// at is the condition of one row. A map, since empty texts of a struct would be left out.
func at(user string, p Place) map[string]any {
	return map[string]any{"user_id": user, "kind": p.Kind, "place": p.Place, "code": p.Code}
}

// forget removes the places that a person opened longest ago, favorites not among them.
func forget(tx *store.Tx, user string, kind Kind) error {
	mine := func() *gorm.DB {
		return tx.System().Where("user_id = ? AND kind = ? AND favorite = ?", user, kind, false)
	}
	var old visit
	if err := mine().Order("visited_at DESC").Offset(kept).Limit(1).Find(&old).Error; err != nil || old.UserID == "" {
		return err
	}
	return mine().Where("visited_at <= ?", old.VisitedAt).Delete(&visit{}).Error
}

// sees refuses a place that the caller may not see.
func (s *Service) sees(ctx context.Context, view *authz.View, p Place) error {
	switch p.Kind {
	case Page:
		nodes, err := s.reader.Menu(view, p.Place, false)
		if err != nil {
			return err
		}
		if find(nodes, p.Code) == nil {
			return fault.New(fault.BadParameter, "code")
		}
		return nil
	case Record:
		seen, err := s.reader.Seen(ctx, view, p.Place, []string{p.Code})
		if err != nil {
			return err
		}
		if _, ok := seen[p.Code]; !ok {
			return fault.New(fault.RecordNotFound)
		}
		return nil
	}
	return fault.New(fault.BadParameter, "kind")
}

// find is a menu item that can be opened, by its code.
func find(nodes []query.MenuNode, code string) *query.MenuNode {
	for i := range nodes {
		if nodes[i].Type == "Folder" {
			if n := find(nodes[i].Children, code); n != nil {
				return n
			}
		} else if nodes[i].Code == code {
			return &nodes[i]
		}
	}
	return nil
}

// Places returns the caller's places without those that are gone or that they may no longer see.
func (s *Service) Places(ctx context.Context, view *authz.View) (*Places, error) {
	out := &Places{RecentApps: []string{}, Favorites: []Entry{}, Pages: []Entry{}, Records: []Entry{}}
	err := s.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var rows []visit
		if err := tx.System().Where("user_id = ?", view.User()).Order("visited_at DESC, kind, place, code").Find(&rows).Error; err != nil {
			return err
		}
		var refs []query.Ref
		for _, r := range rows {
			if r.Kind == Record {
				refs = append(refs, query.Ref{SchemaCode: r.Place, ID: r.Code})
			}
		}
		titles, err := s.reader.Titles(ctx, tx, view, refs)
		if err != nil {
			return err
		}
		s.fill(view, out, rows, titles)
		return nil
	})
	return out, err
}

func (s *Service) fill(view *authz.View, out *Places, rows []visit, titles map[query.Ref]string) {
	menus := map[string][]query.MenuNode{}
	for _, r := range rows {
		e := Entry{Place: Place{r.Kind, r.Place, r.Code}, Favorite: r.Favorite, VisitedTime: r.VisitedAt.UTC(), ModelNameI18n: map[string]string{}}
		switch r.Kind {
		case Steps:
			out.Dismissed = true
			continue
		case Page:
			if _, read := menus[r.Place]; !read {
				menus[r.Place], _ = s.reader.Menu(view, r.Place, false) // an application that is closed to them has no pages
			}
			if e.Node = find(menus[r.Place], r.Code); e.Node == nil {
				continue
			}
			if len(out.RecentApps) < maxRecentApps && !slices.Contains(out.RecentApps, r.Place) {
				out.RecentApps = append(out.RecentApps, r.Place)
			}
			if len(out.Pages) < shown {
				out.Pages = append(out.Pages, e)
			}
		case Record:
			title, seen := titles[query.Ref{SchemaCode: r.Place, ID: r.Code}]
			m := view.Model(r.Place)
			if !seen || m == nil {
				continue
			}
			e.Name, e.ModelName, e.ModelNameI18n = title, m.Label.Zh, m.Label.I18n
			if len(out.Records) < shown {
				out.Records = append(out.Records, e)
			}
		}
		if r.Favorite {
			out.Favorites = append(out.Favorites, e)
		}
	}
}
