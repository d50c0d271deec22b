package main

const core = "./plugins/core/property/"

// neighbours are packages whose tests run lines of another one. They are asked beside its own tests.
var neighbours = map[string][]string{
	"engine/catalog":                          {"./engine/compile"},
	"engine/def":                              {"./engine/compile"},
	"engine/edit":                             {"./runtime/manage"},
	"engine/hook":                             {"./engine/compile"},
	"engine/property/column":                  {core + "number", core + "date"},
	"engine/property/operand":                 {core + "number", core + "date"},
	"engine/rename":                           {"./plugins"},
	"engine/registry":                         {"./engine/pack"},
	"plugins/core/kind/portal":                {"./plugins/core/kind"},
	"plugins/core/kind/print":                 {"./plugins/core/kind"},
	"plugins/core/kind/report":                {"./plugins/core/kind"},
	"plugins/core/kind/workflow":              {"./plugins/core/kind"},
	"plugins/core/property/internal/choice":   {core + "dropdown", core + "dropdownmulti"},
	"plugins/core/property/internal/format":   {core + "number", core + "date"},
	"plugins/core/property/internal/ident":    {core + "attachment"},
	"plugins/core/property/internal/party":    {core + "staffmulti", core + "deptmulti"},
	"plugins/core/property/internal/relation": {core + "relevanceform", core + "relevanceformex"},
	"plugins/core/property/internal/words":    {core + "shorttext", core + "longtext"},
	"runtime/access":                          {"./runtime/httpapi"},
	"runtime/authn/internal/cost":             {"./runtime/authn"},
	"runtime/oidc":                            {"./runtime/authn"},
	"runtime/publish":                         {"./runtime/app"},
	"runtime/query":                           {"./runtime/bulk"},                   // visible.go
	"runtime/record":                          {"./runtime/bulk", "./runtime/seed"}, // Breaks, Local
}
