package quality

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// oneStation is a station: letters of a line, kilometers, meters. K-0+100 is 100 m before the origin.
const oneStation = `([A-Z]*)K(-?)(\d+)\+(\d{1,3}(?:\.\d+)?)`

var (
	station = regexp.MustCompile(`^` + oneStation + `$`)
	// stationRange are two of them; the second may leave out its line and kilometer: K0+100~+200.
	stationRange  = regexp.MustCompile(`^(` + oneStation + `)[-~]+(` + oneStation + `|\+\d{1,3}(?:\.\d+)?)$`)
	stationTo     = regexp.MustCompile(`\s+TO\s+`)
	stationAround = regexp.MustCompile(`^(?:桩号)?[:(\[]*|[)\]]*段?[)\]]*$`)
	stationSigns  = strings.NewReplacer("−", "-", "–", "-", "‒", "-", "‐", "-", "—", "~", "―", "~", "─", "~", "〜", "~", "∼", "~", "至", "~", "到", "~", "…", "~", "..", "~")
)

// plainStations are the stations in a text without width, case, spaces and the words around them; "~" or "-" is between two.
func plainStations(s string) string {
	s = strings.ToUpper(norm.NFKC.String(stationSigns.Replace(property.Visible(s))))
	s = strings.Join(strings.Fields(stationTo.ReplaceAllString(s, "~")), "")
	return stationAround.ReplaceAllString(stationSigns.Replace(s), "")
}

// Station reads a station such as K12+345.678: its line, "" or letters, and the meters from the origin.
func Station(s string) (line string, meters decimal.Decimal, ok bool) {
	m := station.FindStringSubmatch(plainStations(s))
	if m == nil {
		return "", decimal.Zero, false
	}
	km, err := decimal.NewFromString(m[3])
	if err != nil {
		return "", decimal.Zero, false
	}
	rest, err := decimal.NewFromString(m[4])
	meters = km.Shift(3).Add(rest)
	if m[2] != "" {
		meters = meters.Neg()
	}
	return m[1], meters, err == nil
}

// Stations are the stations that a text says, in their plain form: one, from, or two, K0+100~K0+180, K0+100-K0+180, K0+100 至 +180. What it
// cannot read is returned as from.
func Stations(s string) (from, to string) {
	plain := plainStations(s)
	if m := stationRange.FindStringSubmatch(plain); m != nil {
		from, to = m[1], m[6]
		if strings.HasPrefix(to, "+") {
			to = from[:strings.LastIndexByte(from, '+')] + to
		}
		return from, to
	}
	if station.MatchString(plain) {
		return plain, ""
	}
	return strings.TrimSpace(s), ""
}

// stationed writes the stations of a node in their plain form. A text with both in the first one is parted where there is no second.
func stationed(e *hook.Record) error {
	_, begins := e.Set[codes.StationFrom]
	_, ends := e.Set[codes.StationTo]
	if !begins && !ends {
		return nil
	}
	now := e.New()
	from, behind := Stations(text(now[codes.StationFrom]))
	to, more := Stations(text(now[codes.StationTo]))
	switch {
	case more != "":
		return refuse(codes.StationTo, StationFormat, text(now[codes.StationTo]))
	case behind != "" && to != "":
		return refuse(codes.StationFrom, StationFormat, text(now[codes.StationFrom]))
	case behind != "":
		to, ends = behind, true
	}
	if err := stations(from, to); err != nil {
		return err
	}
	if begins {
		e.Set[codes.StationFrom] = orNil(from)
	}
	if ends {
		e.Set[codes.StationTo] = orNil(to)
	}
	return nil
}

// stations refuses a range whose ends are not read, or are the wrong way round on the same line.
func stations(from, to string) error {
	var ends [2]decimal.Decimal
	var lines [2]string
	for i, s := range []string{from, to} {
		if s == "" {
			continue
		}
		var ok bool
		if lines[i], ends[i], ok = Station(s); !ok {
			return refuse([]string{codes.StationFrom, codes.StationTo}[i], StationFormat, s)
		}
	}
	if from != "" && to != "" && lines[0] == lines[1] && ends[0].GreaterThan(ends[1]) {
		return refuse(codes.StationTo, StationOrder, from, to)
	}
	return nil
}
