package sheethead_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/sheethead"
)

// TestMean: what a heading can be, by labels in any width and case, with notes and units, and by codes.
func TestMean(t *testing.T) {
	x := sheethead.New()
	plain := func(label string) string { return label }
	x.Add(sheethead.Column{Code: "name", Last: "name", Labels: []string{"名称", "Name"}}, plain)
	x.Add(sheethead.Column{Code: "amount", Last: "amount", Labels: []string{"数量", "Quantity"}, Counted: true}, plain)
	x.Add(sheethead.Column{Code: "length", Last: "length", Labels: []string{"长度", "Length"}, Unit: "m", Counted: true}, plain)
	x.Name("ID", "id")
	for text, want := range map[string]sheethead.Meaning{
		"名 称（必填）": {Codes: []string{"name"}, Sure: true}, "ＮＡＭＥ *": {Codes: []string{"name"}, Sure: true}, "1. 数量(m³)": {Codes: []string{"amount"}, Sure: true},
		"长度/m": {Codes: []string{"length"}, Sure: true}, "长度（km）": {Codes: []string{"length"}}, "长度（amount）": {Codes: []string{"length"}}, "id": {Codes: []string{"id"}, Sure: true}, "什么": {}, "": {},
	} {
		got := x.Mean(text)
		require.Equal(t, want.Sure, got.Sure, text)
		require.ElementsMatch(t, want.Codes, got.Codes, text)
	}
	require.True(t, sheethead.IsUnit("万元"))
	require.Equal(t, "检查.结论", sheethead.Joined("检查 / 结论"))
	require.Equal(t, sheethead.Plain("状态：*"), sheethead.Plain("状态"))
}
