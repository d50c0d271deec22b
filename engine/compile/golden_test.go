package compile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// onlyWrong are the cases that hold nothing but faults.
var onlyWrong = []string{"dictionary", "missingpack", "mistakes", "names", "poisoned", "thirty"}

// TestCatalogs compares what is compiled from the documents of testdata/compile with testdata/catalog. Most cases hold wrong documents
// beside right ones: those are left out or lack the wrong part. -update writes the files again.
func TestCatalogs(t *testing.T) {
	cases, err := filepath.Glob("testdata/compile/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	base, problems := compileArchive(t, nil)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if slices.Contains(onlyWrong, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := compileArchive(t, archive(t, file).Files)
			got, golden := printed(c, base), filepath.Join("testdata/catalog", name+".txt")
			if *update {
				if err := os.WriteFile(golden, got, 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// printed is a catalog as text, besides what is in base as well.
func printed(c, base *catalog.Catalog) []byte {
	var out bytes.Buffer
	add := func(kind, code string, old, of any) {
		if !reflect.ValueOf(old).IsNil() {
			return
		}
		fmt.Fprintf(&out, "%s %s\n", kind, code)
		v := reflect.ValueOf(of).Elem()
		for i := range v.NumField() {
			printField(&out, v.Type().Field(i), v.Field(i), "  ")
		}
	}
	for _, p := range c.Packs {
		fmt.Fprintf(&out, "pack %s %s %s\n", p.Code, p.Version, value(reflect.ValueOf(p.Label)))
		for _, d := range p.Data {
			fmt.Fprintf(&out, "  data %s\n", value(reflect.ValueOf(d)))
		}
	}
	for _, a := range c.Apps {
		add("app", a.Code, base.App(a.Code), a)
	}
	for _, m := range c.Models {
		for _, m := range append([]*catalog.Model{m}, m.Sheets...) {
			add("model", m.Code, base.Model(m.Code), m)
		}
	}
	for _, t := range c.Storage.Tables {
		if base.Model(t.Model) == nil {
			for _, of := range []struct {
				name string
				all  []plan.Index
			}{{"unique", t.Unique}, {"index", t.Indexes}} {
				for _, i := range of.all {
					fmt.Fprintf(&out, "%s %s %s\n", t.Name, of.name, value(reflect.ValueOf(i)))
				}
			}
		}
	}
	for _, l := range c.Lists {
		add("list", l.Code, base.List(l.Code), l)
	}
	for _, f := range c.Forms {
		add("form", f.Code, base.Form(f.Code), f)
	}
	for _, r := range c.Roles {
		add("role", r.Code, base.Role(r.Code), r)
	}
	for _, d := range c.Dictionaries {
		add("dictionary", d.Code, base.Dictionary(d.Code), d)
	}
	for _, r := range c.Routes {
		add("route", r.Method+" "+r.Path, (*catalog.Route)(nil), r)
	}
	return out.Bytes()
}

// printField prints a field of a struct, items of lists on lines of their own. Empty ones, system properties without anything special and
// what is the same in every model are left out.
func printField(out *bytes.Buffer, f reflect.StructField, v reflect.Value, indent string) {
	if !f.IsExported() || v.IsZero() {
		return
	}
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() == reflect.String {
		fmt.Fprintf(out, "%s%s %s\n", indent, f.Name, value(v))
		return
	}
	for i := range v.Len() {
		if field, ok := v.Index(i).Interface().(*catalog.Field); !ok || f.Name != "Fields" {
			fmt.Fprintf(out, "%s%s %s\n", indent, f.Name, value(v.Index(i)))
		} else if !field.System {
			fmt.Fprintf(out, "%s%s %s\n", indent, f.Name, members(v.Index(i).Elem()))
		}
	}
}

// value prints a value on one line. What has a code and is elsewhere is named by it.
func value(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	switch x := v.Interface().(type) {
	case *catalog.Model:
		return code(x == nil, func() string { return x.Code })
	case *catalog.Field:
		return code(x == nil, func() string { return x.Model.Code + "/" + x.Code })
	case *catalog.List:
		return code(x == nil, func() string { return x.Code })
	case *catalog.Route:
		return code(x == nil, func() string { return x.Method + " " + x.Path })
	case property.Type:
		return x.Name()
	case action.Endpoint:
		return x.Name()
	case property.Property:
		return fmt.Sprintf("%T", x)
	case plan.Label:
		return fmt.Sprintf("%q", x)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return value(v.Elem())
	case reflect.Struct:
		return members(v)
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, value(v.Index(i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		var parts []string
		for _, k := range v.MapKeys() {
			parts = append(parts, fmt.Sprintf("%v: %s", k, value(v.MapIndex(k))))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.Func:
		return "func"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

func code(none bool, of func() string) string {
	if none {
		return "nil"
	}
	return of()
}

func members(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && !v.Field(i).IsZero() && f.Name != "Model" {
			parts = append(parts, f.Name+": "+value(v.Field(i)))
		}
	}
	return strings.TrimPrefix(v.Type().Name(), "Field") + "{" + strings.Join(parts, ", ") + "}"
}
