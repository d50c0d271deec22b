package survey

import (
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// toleranceDocument is tolerances/<code>.json: how far points of each grade may move.
type toleranceDocument struct {
	def.Head
	Limits []struct {
		Node        *source.Node `json:"@"`
		Grade       string       `json:"grade"`
		Millimeters string       `json:"millimeters"`
	} `json:"limits"`
}

// Tolerance is a compiled tolerance: the limit in millimeters by grade.
type Tolerance struct{ Limits map[string]decimal.Decimal }

// toleranceCode is the code of the kind.
const toleranceCode = "tolerance"

func toleranceKind() kind.Kind {
	return kind.Kind{
		Code: toleranceCode, Label: plan.Label{Zh: "限差", I18n: map[string]string{"en": "tolerance"}}, Folder: "tolerances",
		Schema: []byte(`{"type": "object", "additionalProperties": false, "required": ["schemaCode", "limits"], "properties": {
			"name": {"$ref": "#/$defs/text"}, "name_i18n": {"$ref": "#/$defs/texts"},
			"schemaCode": {"$ref": "#/$defs/code", "description": "限差适用的模型 / the model that is judged"},
			"limits": {"type": "array", "minItems": 1, "description": "各等级的限差 / the limit of each grade", "items": {"type": "object", "additionalProperties": false,
				"required": ["grade", "millimeters"], "properties": {"grade": {"type": "string"}, "millimeters": {"type": "string"}}}}}}`),
		New:     func(h def.Head) def.Document { return &toleranceDocument{Head: h} },
		Compile: compileTolerance,
		Messages: map[string]diag.Message{
			"TOLERANCE001": {Severity: diag.Error, Zh: "限差 \"{0}\" 不是正数", En: "the limit \"{0}\" isn't a positive number", RepairZh: "写毫米数，如 \"2.0\"", RepairEn: "write millimeters, such as \"2.0\""},
			"TOLERANCE002": {Severity: diag.Error, Zh: "等级 \"{0}\" 重复", En: "duplicate grade \"{0}\"", RepairZh: "每个等级只写一次", RepairEn: "name each grade once"},
		},
	}
}

func compileTolerance(l kind.Linker, d def.Document) any {
	t := d.(*toleranceDocument)
	out := &Tolerance{Limits: map[string]decimal.Decimal{}}
	ok := l.Model(t.Node.Get("schemaCode")) != nil
	for _, one := range t.Limits {
		limit, err := decimal.NewFromString(one.Millimeters)
		if err != nil || !limit.IsPositive() {
			l.Report("TOLERANCE001", one.Node.Get("millimeters"), one.Millimeters)
			ok = false
		}
		if _, twice := out.Limits[one.Grade]; twice {
			l.Report("TOLERANCE002", one.Node.Get("grade"), one.Grade)
			ok = false
		}
		out.Limits[one.Grade] = limit
	}
	if !ok {
		return nil
	}
	return out
}
