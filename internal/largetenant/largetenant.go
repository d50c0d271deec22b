// Package largetenant makes the documents of one large installation: as many models, properties and relations as a real one
// had, with a list and a form for each model. Benchmarks and tests of several packages share it; the same size always
// gives the same documents.
package largetenant

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing/fstest"
)

// Size of a tenant.
type Size struct{ Models, Properties, Relations int }

// Real is the size of the installation that the product was measured by.
var Real = Size{Models: 940, Properties: 16_868, Relations: 936}

// types are the property types that take no options, in the order in which models use them.
var types = []string{"ShortText", "Number", "Date", "StaffSingle", "Logic", "LongText", "DeptSingle", "StaffMulti", "Time",
	"ShortText", "Number", "DeptMulti", "Address", "Attachment"}

// Code is the code of the model with a number from 0.
func Code(i int) string { return fmt.Sprintf("model%03d", i) }

// FS returns the pack folder of a tenant; its pack's code is "large".
func FS(s Size) fs.FS {
	out := fstest.MapFS{}
	put(out, "pack.json", object{"code": "large", "name": "大型租户", "name_i18n": en("Large tenant"), "version": "1.0.0", "requires": []string{"organisation"}})
	menu := []object{{"code": "home", "type": "HomePage"}}
	for i := range s.Models {
		code := Code(i)
		p := properties(s, i)
		put(out, "models/"+code+".json", object{"name": "模型", "name_i18n": en("Model"), "name_plural_i18n": en("Models"), "volume": 10_000 * (1 + i%20), "properties": p})
		put(out, "lists/"+code+".json", list(code, p))
		put(out, "forms/"+code+".json", form(code, p))
		menu = append(menu, object{"code": code, "type": "BizModel"})
	}
	put(out, "app.json", object{"name": "大型租户", "name_i18n": en("Large tenant"), "menu": menu})
	put(out, "access/tenant.json", staff(s))
	return out
}

type object = map[string]any

func en(text string) object { return object{"en": text} }

func put(out fstest.MapFS, name string, v any) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // maps of texts and numbers always encode
	}
	out[name] = &fstest.MapFile{Data: data}
}

// properties spreads properties and relations evenly over the models. Every model has a quantity, a price and what they make.
func properties(s Size, i int) (out []object) {
	share := func(total int) int { return total*(i+1)/s.Models - total*i/s.Models }
	add := func(code, kind string, more object) {
		p := object{"code": code, "propertyType": kind, "name": "属性", "name_i18n": en("Property")}
		for k, v := range more {
			p[k] = v
		}
		out = append(out, p)
	}
	total, relations := share(s.Properties), share(s.Relations)
	add("title", "ShortText", object{"required": true, "search": true})
	add("status", "Radio", object{"options": []object{
		{"code": "OPEN", "name": "进行", "name_i18n": en("Open")}, {"code": "DONE", "name": "完成", "name_i18n": en("Done")}}})
	add("quantity", "Number", object{"scale": 3})
	add("price", "Number", object{"scale": 2})
	add("amount", "Number", object{"scale": 2, "computeFormula": "round(quantity * price, 2)"})
	for r := range relations {
		add(fmt.Sprintf("relation%d", r), "RelevanceForm", object{"relativeCode": Code((i*7 + r*13 + 1) % s.Models), "relativePropertyCode": "title"})
	}
	for k := 0; len(out) < total; k++ {
		add(fmt.Sprintf("field%02d", k), types[k%len(types)], nil)
	}
	return out
}

func codes(p []object, most int) (out []any) {
	for _, x := range p[:min(len(p), most)] {
		out = append(out, x["code"])
	}
	return out
}

func list(code string, p []object) object {
	columns := append(codes(p, 12), "sequenceNo", "createdTime", object{"propertyCode": "owner", "width": 120})
	return object{"schemaCode": code, "name": "列表", "name_i18n": en("List"), "condition": "sequenceStatus != 'CANCELED'",
		"queryColumns": columns, "queryConditions": []any{"title", "status", "amount", "owner"},
		"queryActions": []string{"add", "edit", "delete"}}
}

func form(code string, p []object) object {
	items := codes(p, len(p))
	items[4] = object{"propertyCode": "amount", "displayFormula": "status == 'OPEN' and quantity > 0"}
	return object{"schemaCode": code, "name": "表单", "name_i18n": en("Form"), "actions": []string{"save"},
		"items": []object{{"type": "Section", "name": "基本", "name_i18n": en("Basics"), "items": items}}}
}

func staff(s Size) object {
	var grants []object
	for i := range s.Models {
		grants = append(grants, object{"schemaCode": Code(i), "actions": []string{"view", "add", "edit"},
			"rows": "owner == user.id or has(user.departmentTree, ownerDeptId)", "fields": object{"price": "r"}})
	}
	return object{"name": "员工", "name_i18n": en("Staff"), "apps": []string{"large"}, "models": grants}
}
