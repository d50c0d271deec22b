package portal

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Place is where a person put a widget of a page.
type Place struct {
	ID     string `json:"id"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Hidden bool   `json:"hidden"`
}

// maxPlaces is how many widgets a page has at most.
const maxPlaces = 200

// Arrange keeps how the principal wants a page; no places = as its author made it.
func (s *Service) Arrange(ctx context.Context, view *authz.View, code string, places []Place, now time.Time) error {
	p, err := s.find(view, code)
	if err != nil {
		return err
	}
	of := shown(view, p)
	who := view.Principal().UserID
	if !of.Personal || who == "" {
		return fault.New(fault.Forbidden)
	}
	known := map[string]bool{}
	for _, w := range of.Widgets {
		known[w.ID] = true
	}
	if len(places) > maxPlaces {
		return fault.New(fault.BadParameter, "widgets")
	}
	kept := []Place{}
	for _, place := range places {
		if place.X < 0 || place.Y < 0 || place.Width < 1 || place.Height < 1 || place.X+place.Width > catalog.PortalColumns || place.Y > 10_000 || place.Height > 1000 {
			return fault.New(fault.BadParameter, "widgets")
		}
		if known[place.ID] { // the author may have taken one away meanwhile
			kept = append(kept, place)
		}
	}
	return s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		row := arrangement{UserID: who, Portal: strings.ToLower(of.Code), At: now.UTC().Truncate(time.Millisecond)}
		if len(places) == 0 {
			return tx.System().Delete(&row).Error
		}
		text, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		row.Widgets = string(text)
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}

// arrange moves widgets to where their reader wants them; widgets that are newer than that stay where the author put them.
func (s *Service) arrange(ctx context.Context, view *authz.View, p *catalog.Portal, widgets []Widget) (bool, error) {
	var rows []arrangement
	err := s.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("user_id = ? AND portal = ?", view.Principal().UserID, strings.ToLower(p.Code)).Find(&rows).Error
	})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	var places []Place
	if err := json.Unmarshal([]byte(rows[0].Widgets), &places); err != nil {
		return false, err
	}
	for _, place := range places {
		for i := range widgets {
			if w := &widgets[i]; w.ID == place.ID {
				w.X, w.Y, w.Width, w.Height, w.Hidden = place.X, place.Y, place.Width, place.Height, place.Hidden
			}
		}
	}
	return true, nil
}
