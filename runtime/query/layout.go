package query

import "github.com/sluice-platform/sluice/engine/catalog"

// PagePart is a part of the page, in order.
type PagePart struct {
	Part     string            `json:"part"`
	Width    int               `json:"width"`
	Text     string            `json:"text"`
	TextI18n map[string]string `json:"text_i18n"`
	Tone     string            `json:"tone"`
}

func pageParts(p catalog.Presentation) []PagePart {
	var out []PagePart
	for _, part := range p.Layout {
		out = append(out, PagePart{Part: part.Part, Width: part.Width, Text: part.Text.Zh, TextI18n: i18n(part.Text), Tone: part.Tone})
	}
	return out
}

func layoutFault(p catalog.Presentation) *PagePart {
	if p.LayoutFault.Zh == "" {
		return nil
	}
	return &PagePart{Part: "text", Text: p.LayoutFault.Zh, TextI18n: i18n(p.LayoutFault), Tone: "warning"}
}
