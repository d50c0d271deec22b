package main

import (
	"fmt"
	"strings"
)

// table gathers the rows of the answer.
type table struct {
	rows  [][5]string
	where string // what the rows to come were measured on, where not on SQLite
}

// add notes a row: what was measured, the product's figure, the floor's, their ratio, and what the target asks for.
func (t *table) add(what, product, floor string, ratio float64, target string) {
	what = t.where + what
	r := "-"
	if ratio > 0 {
		r = fmt.Sprintf("%.3g", ratio)
	}
	t.rows = append(t.rows, [5]string{what, product, floor, r, target})
	fmt.Println(strings.Join([]string{what, product, floor, r, target}, " | "))
}

// print writes the table in Markdown.
func (t *table) print() {
	fmt.Print("\n| measurement | product | floor | ratio | target |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range t.rows {
		fmt.Println("| " + strings.Join(r[:], " | ") + " |")
	}
}
