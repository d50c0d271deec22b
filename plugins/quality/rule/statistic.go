package rule

import (
	"cmp"
	"math/big"

	"github.com/shopspring/decimal"
)

// mean and deviation are those of a sample: the deviation divides by n − 1 and is 0 for one value. 12 digits.
func meanAndDeviation(values []decimal.Decimal) (mean, deviation decimal.Decimal) {
	n := decimal.NewFromInt(int64(len(values)))
	mean = decimal.Sum(values[0], values[1:]...).DivRound(n, 12)
	if len(values) < 2 {
		return mean, decimal.Zero
	}
	var squares decimal.Decimal
	for _, v := range values {
		d := v.Sub(mean)
		squares = squares.Add(d.Mul(d))
	}
	return mean, root(squares.DivRound(n.Sub(decimal.NewFromInt(1)), 24))
}

// root is the square root to 12 digits.
func root(v decimal.Decimal) decimal.Decimal {
	f, _ := new(big.Float).SetPrec(256).SetString(v.String())
	if f == nil || f.Sign() <= 0 {
		return decimal.Zero
	}
	out, err := decimal.NewFromString(new(big.Float).SetPrec(256).Sqrt(f).Text('f', 12))
	if err != nil {
		return decimal.Zero
	}
	return out
}

func least(values []decimal.Decimal) decimal.Decimal { return decimal.Min(values[0], values[1:]...) }

// compaction: the representative value mean − tα/√n·S must reach the standard, and no single value may be below the extreme value. That is the
// one of the item where the set looks at extreme values, otherwise CompactionLow below the standard. A point passes that is at most CompactionPoint
// below the standard.
func (s *Set) compaction(it Item, values []decimal.Decimal, r *Result) {
	if len(values) == 0 || it.Design == nil {
		r.Conclusion = Incomplete
		return
	}
	standard := *it.Design
	for _, v := range values {
		r.count(v.GreaterThanOrEqual(standard.Sub(s.CompactionPoint)))
	}
	low := least(values)
	dev := low.Sub(standard)
	r.MaxDev = &dev
	t, known := s.coefficient(len(values), it.Confidence)
	if !known {
		r.Conclusion = Incomplete // one value has no deviation, and the table may lack the level
		return
	}
	extreme := standard.Sub(s.CompactionLow)
	if s.Extremes && it.LimitLow != nil {
		extreme = *it.LimitLow
	}
	mean, deviation := s.sample(values)
	r.decide(mean.Sub(t.Mul(deviation)).GreaterThanOrEqual(standard) && low.GreaterThanOrEqual(extreme))
}

// coefficient is tα/√n at a level of confidence (nil = that of the set), of the largest n in the table that is not above the number of points: between two
// lines the stricter one.
func (s *Set) coefficient(n int, confidence *decimal.Decimal) (t decimal.Decimal, known bool) {
	level := percent(cmp.Or(confidence, s.Confidence))
	best := 0
	for _, c := range s.Compaction {
		if c.N <= n && c.N > best && percent(c.Confidence).Equal(level) {
			best, t, known = c.N, c.T, true
		}
	}
	return t, known
}

// percent is a level of confidence.
func percent(confidence *decimal.Decimal) decimal.Decimal {
	if confidence == nil {
		return DefaultConfidence
	}
	return *confidence
}

// strength judges groups of specimens of concrete; the design value is the grade.
func (s *Set) strength(it Item, values []decimal.Decimal, r *Result) {
	if len(values) == 0 || it.Design == nil {
		r.Conclusion = Incomplete
		return
	}
	grade := *it.Design
	for _, v := range values {
		r.count(v.GreaterThanOrEqual(grade))
	}
	low := least(values)
	dev := low.Sub(grade)
	r.MaxDev = &dev
	line := s.line(len(values), grade)
	if line == nil || !line.asks() {
		r.Conclusion = Incomplete
		return
	}
	mean, deviation := s.sample(values)
	if s.LeastDeviation != nil {
		deviation = decimal.Max(deviation, *s.LeastDeviation)
	}
	enough := mean.Sub(or(line.L1, 0).Mul(deviation)).GreaterThanOrEqual(or(line.L3, 1).Mul(grade).Add(or(line.MeanOver, 0)))
	factor := or(line.L4, 1)
	if line.L2 != nil {
		factor = *line.L2
	}
	r.decide(enough && low.GreaterThanOrEqual(factor.Mul(grade).Sub(or(line.LeastUnder, 0))))
}

// asks reports whether a row says anything.
func (l *Strength) asks() bool {
	return l.L1 != nil || l.L2 != nil || l.L3 != nil || l.L4 != nil || l.MeanOver != nil || l.LeastUnder != nil
}

// sample are the mean and the deviation of values as the set rounds them.
func (s *Set) sample(values []decimal.Decimal) (mean, deviation decimal.Decimal) {
	mean, deviation = meanAndDeviation(values)
	if s.MeanDigits != nil {
		mean = mean.Round(int32(s.MeanDigits.IntPart()))
	}
	if s.DeviationDigits != nil {
		deviation = deviation.Round(int32(s.DeviationDigits.IntPart()))
	}
	return mean, deviation
}

func or(v *decimal.Decimal, otherwise int64) decimal.Decimal {
	if v == nil {
		return decimal.NewFromInt(otherwise)
	}
	return *v
}

// line is that with the largest From not above n; of several with the same From the one for grades below the least bound that the grade is below.
func (s *Set) line(n int, grade decimal.Decimal) (best *Strength) {
	for i := range s.Strength {
		l := &s.Strength[i]
		switch {
		case l.From > n, l.Below != nil && !grade.LessThan(*l.Below):
		case best == nil, l.From > best.From, l.From == best.From && l.Below != nil && (best.Below == nil || l.Below.LessThan(*best.Below)):
			best = l
		}
	}
	return best
}
