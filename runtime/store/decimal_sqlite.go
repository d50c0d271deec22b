package store

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/shopspring/decimal"
	"modernc.org/sqlite"
)

// Numbers on SQLite are 12 bytes: the value times 10^8 plus 2^95, big-endian, so that bytes compare as numbers
// (docs/formats.md, Names in the database). What is stored has at most 16 integer digits; what arithmetic makes may reach 2^95.
const (
	decimalSize   = 12
	decimalDigits = 8
)

var errDecimalRange = errors.New("number out of range")

// EncodeDecimal is the form of a number in SQLite. More than 8 fraction digits are rounded half away from zero.
func EncodeDecimal(d decimal.Decimal) ([]byte, error) {
	return encodeScaled(d.Shift(decimalDigits).Round(0).BigInt())
}

// DecodeDecimal reads a number as SQLite gives it: the 12 bytes, or the text of a sum or average.
func DecodeDecimal(v any) (decimal.Decimal, error) {
	switch x := v.(type) {
	case []byte:
		n, err := decodeScaled(x)
		if err != nil {
			return decimal.Decimal{}, err
		}
		return decimal.NewFromBigInt(n, -decimalDigits), nil
	case string:
		return decimal.NewFromString(x)
	}
	return decimal.Decimal{}, fmt.Errorf("%T is no stored number", v)
}

func bias() *big.Int { return new(big.Int).Lsh(big.NewInt(1), 8*decimalSize-1) }

func encodeScaled(n *big.Int) ([]byte, error) {
	n = new(big.Int).Add(n, bias())
	if n.Sign() < 0 || n.BitLen() > 8*decimalSize {
		return nil, errDecimalRange
	}
	return n.FillBytes(make([]byte, decimalSize)), nil
}

func decodeScaled(b []byte) (*big.Int, error) {
	if len(b) != decimalSize {
		return nil, fmt.Errorf("stored number has %d bytes", len(b))
	}
	n := new(big.Int).SetBytes(b)
	return n.Sub(n, bias()), nil
}

// registerDecimals adds the functions on numbers: dec_add, dec_sub, dec_mul, dec_div (NULL when dividing by zero), whose
// results may have the longer forms of encodeNumber; dec_of(whole number), dec_round(x, digits), dec_text(x), and the aggregates dec_sum and dec_avg, which give texts as they may outgrow 12 bytes.
func registerDecimals() error {
	var errs []error
	both := func(name string, f func(a, b decimal.Decimal) (decimal.Decimal, bool)) {
		errs = append(errs, register(name, 2, func(args []driver.Value) (driver.Value, error) {
			a, err := decodeNumber(args[0])
			if err != nil {
				return nil, err
			}
			b, err := decodeNumber(args[1])
			if err != nil {
				return nil, err
			}
			d, ok := f(a, b)
			if !ok {
				return nil, nil
			}
			return encodeNumber(d.Round(productDigits)), nil
		}))
	}
	both("dec_add", func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Add(b), true })
	both("dec_sub", func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Sub(b), true })
	both("dec_mul", func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Mul(b), true })
	both("dec_div", func(a, b decimal.Decimal) (decimal.Decimal, bool) {
		if b.IsZero() {
			return decimal.Decimal{}, false
		}
		return a.DivRound(b, decimalDigits), true
	})
	errs = append(errs, register("dec_of", 1, func(args []driver.Value) (driver.Value, error) {
		n, ok := args[0].(int64)
		if !ok {
			return nil, fmt.Errorf("%T is no whole number", args[0])
		}
		return encodeNumber(decimal.NewFromInt(n)), nil
	}))
	errs = append(errs, register("dec_round", 2, func(args []driver.Value) (driver.Value, error) {
		digits, ok := args[1].(int64)
		if !ok || digits < -24 || digits > decimalDigits {
			return nil, fmt.Errorf("dec_round: %v digits", args[1])
		}
		d, err := DecodeDecimal(args[0])
		if err != nil {
			return nil, err
		}
		return EncodeDecimal(d.Round(int32(digits)))
	}))
	errs = append(errs, register("dec_text", 1, func(args []driver.Value) (driver.Value, error) {
		d, err := DecodeDecimal(args[0])
		return d.String(), err
	}))
	errs = append(errs, registerAggregate("dec_sum", false), registerAggregate("dec_avg", true))
	return errors.Join(errs...)
}

// register adds a deterministic function whose result is NULL when an argument is.
func register(name string, n int32, f func([]driver.Value) (driver.Value, error)) error {
	return sqlite.RegisterFunction(name, &sqlite.FunctionImpl{
		NArgs: n, Deterministic: true, VolatileArgs: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			for _, a := range args {
				if a == nil {
					return nil, nil
				}
			}
			v, err := f(args)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return v, nil
		},
	})
}

func registerAggregate(name string, average bool) error {
	return sqlite.RegisterFunction(name, &sqlite.FunctionImpl{
		NArgs: 1, Deterministic: true, VolatileArgs: true,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
			return &decimalSum{average: average}, nil
		},
	})
}

// decimalSum adds the biased 96-bit values in 128 bits, which last for 2^32 rows, and takes the bias off at the end.
type decimalSum struct {
	average   bool
	hi, lo, n uint64
}

// Step adds a value; NULL counts for nothing.
func (s *decimalSum) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	hi, lo, ok, err := words(args[0])
	if !ok {
		return err
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi += hi + carry
	s.n++
	return nil
}

// WindowInverse takes a value out again.
func (s *decimalSum) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	hi, lo, ok, err := words(args[0])
	if !ok {
		return err
	}
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, lo, 0)
	s.hi -= hi + borrow
	s.n--
	return nil
}

// WindowValue is the sum or average as text; NULL of no values.
func (s *decimalSum) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if s.n == 0 {
		return nil, nil
	}
	n := new(big.Int).SetUint64(s.hi)
	n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(s.lo))
	n.Sub(n, new(big.Int).Mul(bias(), new(big.Int).SetUint64(s.n)))
	d := decimal.NewFromBigInt(n, -decimalDigits)
	if s.average {
		d = d.DivRound(decimal.NewFromBigInt(new(big.Int).SetUint64(s.n), 0), decimalDigits)
	}
	return d.String(), nil
}

// Final has nothing to free.
func (s *decimalSum) Final(*sqlite.FunctionContext) {}

func words(v driver.Value) (hi, lo uint64, ok bool, err error) {
	if v == nil {
		return 0, 0, false, nil
	}
	b, isBytes := v.([]byte)
	if !isBytes || len(b) != decimalSize {
		return 0, 0, false, fmt.Errorf("sum of %T, not of stored numbers", v)
	}
	return uint64(binary.BigEndian.Uint32(b)), binary.BigEndian.Uint64(b[4:]), true, nil
}
