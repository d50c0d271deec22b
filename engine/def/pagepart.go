package def

import (
	"github.com/sluice-platform/sluice/engine/source"
)

// PagePart is a part of a list's page.
type PagePart struct {
	Node     *source.Node      `json:"@"`
	Part     string            `json:"part"`  // toolbar filter table pager text
	Width    int               `json:"width"` // of filter, pixels: it stands beside the table
	Text     string            `json:"text"`
	TextI18n map[string]string `json:"text_i18n"`
	Tone     string            `json:"tone"` // info (default) success warning
}

// DecodeNode reads either form: a bare text is the part's name.
func (p *PagePart) DecodeNode(n *source.Node) {
	source.DecodeShort(n, p, &p.Part)
}
