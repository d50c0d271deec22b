// Package propertytest is the conformance suite of property types: what must hold for every type, no matter who wrote it. A
// type's test gives definitions, values and their texts to Run; the suite adds random values, whose filters it compares
// with a model of its own that is written with maps, decimals and times and knows nothing of plan.Expr.
//
// Generator and the helpers Scope and Names are exported because the tests of the store run the same values on databases.
package propertytest
