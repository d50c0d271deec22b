package design

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// reportKind shows what a report asks for and draws; its file is the only place where it is changed.
func reportKind() *Kind {
	return &Kind{Of: catalog.KindReport, Missing: fault.ReportNotFound, ReadOnly: true,
		Note: plan.Label{Zh: "报表", I18n: map[string]string{"en": "report"}}}
}

// dictionaryKind shows the items of a dictionary; its file is the only place where it is changed.
func dictionaryKind() *Kind {
	return &Kind{Of: def.KindDictionary, Missing: fault.DocumentNotFound, ReadOnly: true, All: dictionaries,
		Note: plan.Label{Zh: "字典", I18n: map[string]string{"en": "dictionary"}}}
}

func dictionaries(c *catalog.Catalog) (out []*catalog.Document) {
	for _, d := range c.Dictionaries {
		out = append(out, &catalog.Document{Kind: string(def.KindDictionary), Code: d.Code, Pack: d.Pack, Label: d.Label, Value: d})
	}
	return out
}
