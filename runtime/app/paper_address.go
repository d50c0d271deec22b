package app

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/printing"
)

// tellAddress warns of print templates whose codes lead to pages of an installation that does not know its own address: a browser that prints
// says where it is, and what programs and jobs print has no such codes.
func (a *App) tellAddress(c *catalog.Catalog) {
	if a.cfg.Address != "" {
		return
	}
	if codes := leading(c); len(codes) > 0 {
		a.cfg.Log.Warn("print templates have QR codes that lead to this server, which does not know its address: set --public-url, or what is printed by programs lacks them", "templates", codes)
	}
}

// leading are the templates with codes of addresses.
func leading(c *catalog.Catalog) (out []string) {
	for _, d := range c.Documents {
		if p, is := d.Value.(*catalog.Print); is && d.Kind == catalog.KindPrint && printing.Leads(p) {
			out = append(out, p.Code)
		}
	}
	return out
}

// Leading are the print templates whose codes lead to pages of the installation, which has to know its own address for them.
func Leading(c *catalog.Catalog) []string { return leading(c) }
