package date

import (
	"strings"
	"time"
)

// shape is one displayFormat: its number on the wire, its Go layout and whether values are points in time.
type shape struct {
	name    string
	wire    int
	layout  string
	instant bool
}

// shapes are the date formats (docs/formats.md), the default of each kind first. Wire 1 is read as 0.
var shapes = []shape{
	{"yyyy-MM-dd", 0, "2006-01-02", false},
	{"yyyy-MM", 4, "2006-01", false},
	{"yyyy", 5, "2006", false},
	{"MM-dd", 6, "01-02", false},
	{"yyyy-MM-dd HH:mm:ss", 2, "2006-01-02 15:04:05", true},
	{"yyyy-MM-dd HH:mm", 3, "2006-01-02 15:04", true},
	{"HH:mm", 7, "15:04", true},
	{"HH:mm:ss", 8, "15:04:05", true},
	{"yyyy-MM-dd CN-APM hh:mm", 9, "2006-01-02 CN 03:04", true},
	{"yyyy-MM-dd EN-APM hh:mm", 10, "2006-01-02 EN 03:04", true},
	{"CN-APM hh:mm", 11, "CN 03:04", true},
	{"EN-APM hh:mm", 12, "EN 03:04", true},
}

func shapeOf(name string) shape {
	for _, s := range shapes {
		if s.name == name {
			return s
		}
	}
	return shapes[0]
}

// names lists the formats of values of one kind.
func names(instant bool) []string {
	var out []string
	for _, s := range shapes {
		if s.instant == instant {
			out = append(out, s.name)
		}
	}
	return out
}

// text writes a time in the shape. The half of the day is the format's own word, whatever the reader's language.
func (s shape) text(t time.Time) string {
	half := [2]string{"上午", "AM"}
	if t.Hour() >= 12 {
		half = [2]string{"下午", "PM"}
	}
	return strings.NewReplacer("CN", half[0], "EN", half[1]).Replace(t.Format(s.layout))
}

// unit is the least that an operand on a field of this format represents.
func (s shape) unit() unit {
	switch s.name {
	case "yyyy":
		return year
	case "yyyy-MM":
		return month
	}
	return point
}
