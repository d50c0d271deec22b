package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"image"
	_ "image/jpeg" // a logo may be one
	_ "image/png"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Theme is a look that an installation can choose (api.yaml Theme).
type Theme struct {
	Name    string `json:"name"`
	Icon    string `json:"icon"` // of its card in the drawer
	Color   string `json:"color"`
	Outward string `json:"outward"` // of people who chose none: light = as their system prefers, dark
}

// DefaultTheme is the theme of an installation that chose none; it is always light outward.
const DefaultTheme = "default"

// Themes are all themes.
func Themes() []Theme {
	out := []Theme{{Name: DefaultTheme, Color: "#00adfc"}, {Name: "blue", Color: "#1f6feb"}, {Name: "indigo", Color: "#4f5bd5"}, {Name: "purple", Color: "#8250df"},
		{Name: "magenta", Color: "#c7388f"}, {Name: "red", Color: "#d6403f"}, {Name: "orange", Color: "#e0702a"}, {Name: "golden", Color: "#c48a1a"},
		{Name: "green", Color: "#2f9e5b"}, {Name: "cyan", Color: "#1298a6"}, {Name: "black", Color: "#3a4554"}}
	for i := range out {
		out[i].Icon, out[i].Outward = "theme", "light"
	}
	return out
}

func themeOf(name string) (Theme, bool) {
	all := Themes()
	i := slices.IndexFunc(all, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		return all[0], false
	}
	return all[i], true
}

// Limits of a look.
const (
	maxName = 40
	maxLogo = 64 << 10 // bytes of the picture
	maxSide = 1024     // pixels
)

// Branding is how the installation presents itself: what its administrators chose over the configuration.
type Branding struct {
	Theme    string            `json:"theme"`
	Outward  string            `json:"outward"`
	Name     string            `json:"name"` // "" = that of the configuration
	NameI18n map[string]string `json:"name_i18n"`
	Logo     []byte            `json:"logo"` // a PNG or JPEG; nil = the product's mark
	LogoType string            `json:"logoType"`
	LogoSum  string            `json:"logoSum"`
}

// HasLogo reports whether the installation has a logo of its own.
func (l *Branding) HasLogo() bool { return len(l.Logo) > 0 }

// LogoAddress is where browsers find the logo; "" = none. It changes with the picture.
func (l *Branding) LogoAddress() string {
	if !l.HasLogo() {
		return ""
	}
	return "/api/system/logo?v=" + l.LogoSum
}

// Chosen is the theme of a look.
func (l *Branding) Chosen() Theme {
	t, _ := themeOf(l.Theme)
	if t.Name != DefaultTheme && l.Outward == "dark" {
		t.Outward = "dark"
	}
	return t
}

const brandingSetting = "branding"

// Brands reports whether rights allow to change the look: those of people who look after the whole installation.
func Brands(view *authz.View) bool { return view.Has(authz.System) }

// Branding is the look as this node knows it.
func (a *App) Branding() *Branding {
	if l := a.branding.Load(); l != nil {
		return l
	}
	return &Branding{Theme: DefaultTheme}
}

// readBranding takes over the look that the database has, and tells the open pages when it is another one.
func (a *App) readBranding(ctx context.Context) error {
	text, err := readSetting(ctx, a.db, brandingSetting)
	if err != nil {
		return err
	}
	l := &Branding{Theme: DefaultTheme}
	if text != "" {
		if err := json.Unmarshal([]byte(text), l); err != nil {
			return err
		}
	}
	before := a.branding.Swap(l)
	if before != nil && (before.Theme != l.Theme || before.Outward != l.Outward || before.Name != l.Name || before.NameI18n["en"] != l.NameI18n["en"] || before.LogoSum != l.LogoSum) {
		a.events.Send(Event{Name: "branding", Data: "{}"}, false)
	}
	return nil
}

// followBranding takes over the look that another node wrote, until the system ends.
func (a *App) followBranding() {
	for {
		select {
		case <-a.background.Done():
			return
		case <-a.branded:
		}
		if err := a.readBranding(a.background); err != nil && a.background.Err() == nil {
			a.cfg.Log.Error("read the look of the installation", "error", err)
		}
	}
}

// BrandingChange is a look as an administrator sets it. Logo is a data address; nil = as it is, "" = none.
type BrandingChange struct {
	Theme    string            `json:"theme"`
	Outward  string            `json:"outward"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Logo     *string           `json:"logo"`
}

// SetBranding changes the look for everybody.
func (a *App) SetBranding(ctx context.Context, view *authz.View, in BrandingChange) error {
	if !Brands(view) {
		return fault.New(fault.Forbidden)
	}
	l := *a.Branding()
	if _, known := themeOf(in.Theme); !known {
		return fault.New(fault.BadParameter, "theme")
	}
	if in.Outward != "light" && in.Outward != "dark" {
		return fault.New(fault.BadParameter, "outward")
	}
	english := map[string]string{}
	for locale, name := range in.NameI18n {
		if locale != "en" || !isName(name) {
			return fault.New(fault.BadParameter, "name_i18n")
		}
		if name = strings.TrimSpace(name); name != "" {
			english[locale] = name
		}
	}
	if !isName(in.Name) {
		return fault.New(fault.BadParameter, "name")
	}
	l.Theme, l.Outward, l.Name, l.NameI18n = in.Theme, in.Outward, strings.TrimSpace(in.Name), english
	if l.Name == a.cfg.Name { // as the server was started
		l.Name = ""
	}
	if in.Logo != nil {
		var err error
		if l.Logo, l.LogoType, err = logoOf(*in.Logo); err != nil {
			return err
		}
		sum := sha256.Sum256(l.Logo)
		l.LogoSum = hex.EncodeToString(sum[:6])
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	err = a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row := setting{Name: brandingSetting, Value: string(text)}
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		tx.Touch(row.TableName())
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Configured, Actor: view.User(), Name: view.Principal().Name,
			Detail: map[string]string{"theme": l.Theme, "name": l.Name}})
	})
	if err != nil {
		return err
	}
	return a.readBranding(ctx)
}

// isName reports whether a text can name the installation: one line of at most maxName characters.
func isName(s string) bool {
	return utf8.RuneCountInString(s) <= maxName && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' })
}

// logoOf reads a data address of a picture. Only kinds that carry no script are taken, and only what decodes as one.
func logoOf(address string) (picture []byte, mime string, err error) {
	if address == "" {
		return nil, "", nil
	}
	bad := fault.New(fault.BadParameter, "logo")
	rest, ok := strings.CutPrefix(address, "data:image/")
	kind, body, whole := strings.Cut(rest, ";base64,")
	if !ok || !whole || kind != "png" && kind != "jpeg" {
		return nil, "", bad
	}
	if base64.StdEncoding.DecodedLen(len(body)) > maxLogo+2 {
		return nil, "", fault.New(fault.TooLarge, "64 kB")
	}
	if picture, err = base64.StdEncoding.DecodeString(body); err != nil {
		return nil, "", bad
	}
	found, format, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || format != kind || found.Width < 1 || found.Height < 1 || found.Width > maxSide || found.Height > maxSide {
		return nil, "", bad
	}
	return picture, "image/" + kind, nil
}
