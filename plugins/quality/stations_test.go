package quality_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// TestStations: a station, or two in one text, as people write them; what is none stays as it is and is refused.
func TestStations(t *testing.T) {
	for text, want := range map[string][2]string{
		"K0+100": {"K0+100", ""}, "k12+345.678": {"K12+345.678", ""}, "Ｋ０＋１００": {"K0+100", ""}, "AK1+020": {"AK1+020", ""}, "K-0+100": {"K-0+100", ""}, "K−0+100": {"K-0+100", ""},
		"K 0 + 100": {"K0+100", ""}, "桩号K0+100": {"K0+100", ""}, "桩号：K0+100": {"K0+100", ""}, "": {"", ""},
		"K0+100~K0+180": {"K0+100", "K0+180"}, "K0+100～K0+180": {"K0+100", "K0+180"}, "K0+100〜K0+180": {"K0+100", "K0+180"}, "K0+100-K0+200": {"K0+100", "K0+200"},
		"K0+100 - K0+200": {"K0+100", "K0+200"}, "K0+100－K0+200": {"K0+100", "K0+200"}, "K0+100–K0+200": {"K0+100", "K0+200"}, "K0+100—K0+200": {"K0+100", "K0+200"},
		"K0+100——K0+200": {"K0+100", "K0+200"}, "K0+100--K0+200": {"K0+100", "K0+200"}, "K0+100至K0+200": {"K0+100", "K0+200"}, "K0+100 到 K0+200": {"K0+100", "K0+200"},
		"k0+100 to k0+200": {"K0+100", "K0+200"}, "Ｋ０＋１００～Ｋ０＋２００": {"K0+100", "K0+200"}, "K0+100~+200": {"K0+100", "K0+200"}, "K0+100-+200.5": {"K0+100", "K0+200.5"}, "ZK3+100至+200": {"ZK3+100", "ZK3+200"},
		"ZK0+100~ZK0+200": {"ZK0+100", "ZK0+200"}, "K-0+100-K0+200": {"K-0+100", "K0+200"}, "K-0+200~K-0+100": {"K-0+200", "K-0+100"}, "（K0+100~K0+200）": {"K0+100", "K0+200"},
		"桩号K0+100～K0+200段": {"K0+100", "K0+200"}, "K0+100.5..K0+200": {"K0+100.5", "K0+200"}, "K0+100……K0+200": {"K0+100", "K0+200"},
		"K0+100~200": {"K0+100~200", ""}, "K0+100、K0+200": {"K0+100、K0+200", ""}, "K0+100,K0+200": {"K0+100,K0+200", ""}, "K0+100~": {"K0+100~", ""}, "~K0+100": {"~K0+100", ""},
		"K2~K1": {"K2~K1", ""}, "K0+1000": {"K0+1000", ""}, "K0+100~K0+200~K0+300": {"K0+100~K0+200~K0+300", ""}, "12+3": {"12+3", ""}, "K0+100m": {"K0+100m", ""}, "K0++100": {"K0++100", ""},
	} {
		from, to := quality.Stations(text)
		require.Equal(t, want, [2]string{from, to}, text)
	}
	for text, want := range map[string]string{"K12+345.678": "12345.678", "K-0+100": "-100", "Ｋ０＋１００": "100"} {
		_, meters, ok := quality.Station(text)
		require.True(t, ok, text)
		require.Equal(t, want, meters.String(), text)
	}
}

// placed: a node keeps its stations in one form, whatever way they are written; a range in one text is parted.
func placed(t *testing.T, s *site) {
	n := s.small()
	for _, c := range []struct {
		set  in
		want [2]any
	}{
		{in{"stationFrom": "K0+100-K0+200"}, [2]any{"K0+100", "K0+200"}}, {in{"stationFrom": "Ｋ０＋１５０"}, [2]any{"K0+150", "K0+200"}}, {in{"stationTo": "k0+190"}, [2]any{"K0+150", "K0+190"}},
		{in{"stationFrom": "", "stationTo": ""}, [2]any{nil, nil}}, {in{"stationFrom": "K1+000 至 +250"}, [2]any{"K1+000", "K1+250"}},
	} {
		s.do(s.owner, func(ctx context.Context, w world.World) { require.NoError(t, edit(ctx, w, "q_qbs", n.item, c.set)) })
		got := s.get(s.owner, "q_qbs", n.item)
		require.Equal(t, c.want, [2]any{got["stationFrom"], got["stationTo"]}, c.set)
	}
	for _, set := range []in{{"stationFrom": "K0+100~K0+200"}, {"stationTo": "K0+100~K0+200"}, {"stationFrom": "K0+100~200"}} { // there is a second one already; nobody knows which counts
		refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error { return edit(ctx, w, "q_qbs", n.item, set) }), quality.StationFormat)
	}
	refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_qbs", n.other, in{"stationFrom": "K0+200~K0+100"})
	}), quality.StationOrder)
}
