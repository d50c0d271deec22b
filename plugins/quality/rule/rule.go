// Package rule evaluates inspections by the rules of a norm: measured points, check items, records, and the nodes of a breakdown from the
// bottom up. It computes only; what it needs is given to it. Thresholds are data (the model q_rule), none of them is written here.
package rule

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Set is one revision of a rule set: JTS 257-2008, JTG F80/1-2017, GB 50300-2013 or one of the installation's own. Rates are shares, 0.8.
type Set struct {
	Code     string `json:"code"`
	Revision int    `json:"revision"`

	MainRate        decimal.Decimal  `json:"mainRate"`        // of points, for main items
	MachineMainRate *decimal.Decimal `json:"machineMainRate"` // of main items of machinery; nil = MainRate
	GeneralRate     decimal.Decimal  `json:"generalRate"`
	// Factors: a point out of tolerance may deviate by at most so many times the tolerance; nil = without limit.
	SafetyFactor  *decimal.Decimal `json:"safetyFactor"`
	MachineFactor *decimal.Decimal `json:"machineFactor"`
	GeneralFactor *decimal.Decimal `json:"generalFactor"`
	Extremes      bool             `json:"extremes"` // a value beyond the extreme value fails its item
	// LookRate is the share of looks that have to say yes, of general items that do not affect safety; nil = every one.
	LookRate *decimal.Decimal `json:"lookRate,omitempty"`

	CompactionLow   decimal.Decimal `json:"compactionLow"`   // percentage points that a single value may be below the standard
	CompactionPoint decimal.Decimal `json:"compactionPoint"` // percentage points below the standard at which a value still counts as a passed point
	Compaction      []Coefficient   `json:"compaction"`
	// Confidence is the level of the coefficients of items that name none, in percent; nil = DefaultConfidence.
	Confidence *decimal.Decimal `json:"confidence,omitempty"`
	Strength   []Strength       `json:"strength"`
	// LeastDeviation is the floor of the standard deviation of groups of specimens, in MPa; nil = none.
	LeastDeviation *decimal.Decimal `json:"leastDeviation"`
	// MeanDigits and DeviationDigits are the decimals that means and deviations are rounded to (half away from zero) before they are compared; nil = as they are.
	MeanDigits      *decimal.Decimal `json:"meanDigits"`
	DeviationDigits *decimal.Decimal `json:"deviationDigits"`

	Levels         []Level         `json:"levels"`  // from the top
	Grading        bool            `json:"grading"` // items and nodes can be excellent
	ExcellentRate  decimal.Decimal `json:"excellentRate"`
	ExcellentShare decimal.Decimal `json:"excellentShare"` // of the children
}

// Coefficient is tα/√n for n points at a level of confidence.
type Coefficient struct {
	N          int              `json:"n"`
	T          decimal.Decimal  `json:"t"`
	Confidence *decimal.Decimal `json:"confidence,omitempty"` // percent; nil = DefaultConfidence
}

// DefaultConfidence is that of sets, items and coefficients which name none, in percent.
var DefaultConfidence = decimal.NewFromInt(95)

// Strength is what From groups of specimens and more have to reach, of grades below Below (nil = every grade). For the grade f, the mean m and the
// standard deviation S of the groups: m − λ1·S ≥ λ3·f + MeanOver, and min ≥ λ2·f − LeastUnder, or λ4·f where there is no λ2. What is nil is 0 where it
// is added or multiplies S, and 1 where it multiplies f; a row in which all is nil asks for nothing and judges nothing. GB/T 50107 multiplies alone,
// JTS 257 adds and subtracts (its D and C·σ0).
type Strength struct {
	From       int              `json:"from"`
	Below      *decimal.Decimal `json:"below"`
	L1         *decimal.Decimal `json:"l1"`
	L2         *decimal.Decimal `json:"l2"`
	L3         *decimal.Decimal `json:"l3"`
	L4         *decimal.Decimal `json:"l4"`
	MeanOver   *decimal.Decimal `json:"meanOver"`   // MPa
	LeastUnder *decimal.Decimal `json:"leastUnder"` // MPa
}

// Level says what a node of a type needs besides qualified children to be qualified.
type Level struct {
	NodeType   string `json:"nodeType"`
	Documents  bool   `json:"documents"`  // all required sheets are completed
	Tests      bool   `json:"tests"`      // sheets of tests are completed and none failed
	Appearance bool   `json:"appearance"` // the appearance passed
	DueCode    string `json:"dueCode"`    // the due set of nodes of the level that name none
}

// Level finds the level of a node type; the zero value when the set does not name it.
func (s *Set) Level(nodeType string) Level {
	i := slices.IndexFunc(s.Levels, func(l Level) bool { return l.NodeType == nodeType })
	if i < 0 {
		return Level{NodeType: nodeType}
	}
	return s.Levels[i]
}

// Below reports whether a node of type child can be a child of one of type parent: it must come later in Levels. "" is above all.
func (s *Set) Below(parent, child string) bool {
	at := func(nodeType string) int {
		return slices.IndexFunc(s.Levels, func(l Level) bool { return l.NodeType == nodeType })
	}
	return at(child) >= 0 && (parent == "" || at(parent) < at(child) && at(parent) >= 0)
}

// Conclusions of items and records.
var (
	OK         = codes.OptionOk
	NotOK      = codes.OptionNotOk
	Incomplete = codes.OptionIncomplete // fewer points than required, or no answer
	NA         = codes.OptionNa         // not applicable
)

// Classes of items.
var (
	Main    = codes.OptionMain
	General = codes.OptionGeneral
)

// Methods of evaluation.
var (
	Point          = codes.OptionPoint
	StatCompaction = codes.OptionStatCompaction
	StatStrength   = codes.OptionStatStrength
	YesNo          = codes.OptionYesno
)

// Item is a check item with its tolerance, as it was when the record was made. nil bounds are open.
type Item struct {
	Class, Method       string
	Design              *decimal.Decimal // d of a point; the standard of compaction in percent; the grade of concrete in MPa
	DevLow, DevHigh     *decimal.Decimal // of v − d
	LimitLow, LimitHigh *decimal.Decimal // of v: extreme values
	MinPoints           int              // at least 1
	Safety, Machine     bool
	Confidence          *decimal.Decimal // of the representative value of compaction, in percent; nil = that of the set
}

// Result is what the values of an item come to.
type Result struct {
	Points, OKPoints int
	Rate             decimal.Decimal // OKPoints / Points, 16 digits; 0 without points
	MaxDev           *decimal.Decimal
	Conclusion       string
}

// Evaluate judges the values of one item. For YESNO a value that is not zero means yes.
func (s *Set) Evaluate(it Item, values []decimal.Decimal) Result {
	r := Result{Points: len(values)}
	if len(values) < max(it.MinPoints, 1) {
		r.Conclusion = Incomplete
	}
	switch it.Method {
	case StatCompaction:
		s.compaction(it, values, &r)
	case StatStrength:
		s.strength(it, values, &r)
	case YesNo:
		for _, v := range values {
			r.count(!v.IsZero())
		}
		r.decide(s.looksFine(it, r.OKPoints, r.Points))
	default:
		s.points(it, values, &r)
	}
	if r.Points > 0 {
		r.Rate = decimal.NewFromInt(int64(r.OKPoints)).DivRound(decimal.NewFromInt(int64(r.Points)), 16)
	}
	return r
}

func (r *Result) count(ok bool) {
	if ok {
		r.OKPoints++
	}
}

// decide sets the conclusion where there are points enough for one.
func (r *Result) decide(ok bool) {
	switch {
	case r.Conclusion != "":
	case ok:
		r.Conclusion = OK
	default:
		r.Conclusion = NotOK
	}
}

// points judges measured points by tolerance, by the largest deviation that is allowed, and by extreme values.
func (s *Set) points(it Item, values []decimal.Decimal, r *Result) {
	fine := true
	for _, v := range values {
		deviation, base := v, it.Design
		if base != nil {
			deviation = v.Sub(*base)
		}
		within := s.within(it, v, deviation)
		r.count(within)
		if r.MaxDev == nil || deviation.Abs().GreaterThan(r.MaxDev.Abs()) {
			worst := deviation
			r.MaxDev = &worst
		}
		if !within && !s.tolerable(it, deviation) || s.Extremes && outside(it, v) {
			fine = false
		}
	}
	r.decide(fine && s.enough(it, r.OKPoints, r.Points))
}

// within reports whether a point is in tolerance. An item that has extreme values only is judged by these.
func (s *Set) within(it Item, v, deviation decimal.Decimal) bool {
	if it.DevLow == nil && it.DevHigh == nil {
		return !outside(it, v)
	}
	return (it.DevLow == nil || deviation.GreaterThanOrEqual(*it.DevLow)) && (it.DevHigh == nil || deviation.LessThanOrEqual(*it.DevHigh))
}

func outside(it Item, v decimal.Decimal) bool {
	return it.LimitLow != nil && v.LessThan(*it.LimitLow) || it.LimitHigh != nil && v.GreaterThan(*it.LimitHigh)
}

// looksFine reports whether enough looks say yes: all of them, or of a general item that does not affect safety the share of the set.
func (s *Set) looksFine(it Item, ok, n int) bool {
	if s.LookRate == nil || it.Class == Main || it.Safety {
		return ok == n
	}
	return decimal.NewFromInt(int64(ok)).GreaterThanOrEqual(s.LookRate.Mul(decimal.NewFromInt(int64(n))))
}

// tolerable reports whether a point out of tolerance is within the factor of its kind.
func (s *Set) tolerable(it Item, deviation decimal.Decimal) bool {
	factor := s.GeneralFactor
	switch {
	case it.Safety && it.Machine:
		factor = smaller(s.SafetyFactor, s.MachineFactor)
	case it.Safety:
		factor = s.SafetyFactor
	case it.Machine:
		factor = s.MachineFactor
	}
	if factor == nil {
		return true
	}
	bound := it.DevHigh
	if deviation.IsNegative() {
		bound = it.DevLow
	}
	return bound == nil || deviation.Abs().LessThanOrEqual(bound.Abs().Mul(*factor))
}

func smaller(a, b *decimal.Decimal) *decimal.Decimal {
	if a == nil || b != nil && b.LessThan(*a) {
		return b
	}
	return a
}

// enough compares ok of n points with the rate of the item's class, without dividing.
func (s *Set) enough(it Item, ok, n int) bool {
	rate := s.GeneralRate
	if it.Class == Main {
		rate = s.MainRate
		if it.Machine && s.MachineMainRate != nil {
			rate = *s.MachineMainRate
		}
	}
	return decimal.NewFromInt(int64(ok)).GreaterThanOrEqual(rate.Mul(decimal.NewFromInt(int64(n))))
}

// Excellent reports whether a passed item is excellent where the set grades.
func (s *Set) Excellent(r Result) bool {
	return s.Grading && r.Conclusion == OK && r.Rate.GreaterThanOrEqual(s.ExcellentRate)
}

// Record is the conclusion over the items of a record: one that failed fails it, one that is incomplete leaves it incomplete, and items that do
// not apply do not count.
func Record(conclusions []string) string {
	passed, missing := false, false
	for _, c := range conclusions {
		switch c {
		case NotOK:
			return NotOK
		case OK:
			passed = true
		case NA:
		default:
			missing = true
		}
	}
	if passed && !missing {
		return OK
	}
	return Incomplete
}
