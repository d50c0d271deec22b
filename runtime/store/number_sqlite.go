package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// productDigits are the fraction digits that a product keeps, as in memory.
const productDigits = 16

// wideSize is what follows a prefix of 12 equal bytes when a number outgrows them: 16 bytes with a bias of 2^127.
const wideSize = 16

// encodeNumber is EncodeDecimal for what is compared and never stored: constants of any size and results of arithmetic.
// Digits behind the eighth follow the 12 bytes as text; numbers beyond 2^95 have 12 bytes of FF (or 00) and then 16 of
// their own. So bytes still compare as numbers, with stored ones too. Numbers beyond 2^127 become that.
func encodeNumber(d decimal.Decimal) []byte {
	if exp := int(d.Exponent()); exp >= -decimalDigits && exp <= decimalDigits && d.NumDigits()+decimalDigits+exp < len(powers) {
		n := d.CoefficientInt64() * powers[decimalDigits+exp] // most fit 64 bits
		hi := uint32(1 << 31)
		if n < 0 {
			hi--
		}
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(make([]byte, 0, decimalSize), hi), uint64(n))
	}
	scaled := d.Shift(decimalDigits)
	floor := scaled.Floor()
	n := floor.BigInt()
	out, err := encodeScaled(n)
	if err != nil {
		out = encodeWide(n)
	}
	if frac := scaled.Sub(floor); !frac.IsZero() {
		digits := strings.TrimPrefix(frac.String(), "0.")
		out = append(out, strings.TrimRight(digits, "0")...)
	}
	return out
}

// powers are those of ten that fit 64 bits.
var powers = func() (out [19]int64) {
	out[0] = 1
	for i := 1; i < len(out); i++ {
		out[i] = 10 * out[i-1]
	}
	return out
}()

func encodeWide(n *big.Int) []byte {
	fill := byte(0xFF)
	if n.Sign() < 0 {
		fill = 0
	}
	half := new(big.Int).Lsh(big.NewInt(1), 8*wideSize-1)
	n = new(big.Int).Add(n, half)
	out := append(bytes.Repeat([]byte{fill}, decimalSize), make([]byte, wideSize)...)
	switch {
	case n.Sign() < 0:
	case n.BitLen() > 8*wideSize:
		copy(out[decimalSize:], bytes.Repeat([]byte{0xFF}, wideSize))
	default:
		n.FillBytes(out[decimalSize:])
	}
	return out
}

// decodeNumber reads any form: the 12 bytes, the longer ones, and the text of a sum.
func decodeNumber(v any) (decimal.Decimal, error) {
	switch x := v.(type) {
	case []byte:
		return decodeBytes(x)
	case string:
		return parseDecimal(x)
	}
	return decimal.Decimal{}, fmt.Errorf("%T is no stored number", v)
}

func decodeBytes(b []byte) (decimal.Decimal, error) {
	if len(b) == decimalSize {
		// 2^95 taken off the upper 32 bits leaves a signed number; most fit 64 bits.
		hi, lo := int32(binary.BigEndian.Uint32(b)^0x80000000), binary.BigEndian.Uint64(b[4:])
		if n := int64(lo); hi == 0 && n >= 0 || hi == -1 && n < 0 {
			return trimmed(n), nil
		}
	}
	if len(b) < decimalSize {
		return decimal.Decimal{}, fmt.Errorf("stored number has %d bytes", len(b))
	}
	n := new(big.Int).SetBytes(b[:decimalSize])
	n.Sub(n, bias())
	rest := b[decimalSize:]
	if len(rest) >= wideSize {
		n.SetBytes(rest[:wideSize])
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 8*wideSize-1))
		rest = rest[wideSize:]
	}
	d := decimal.NewFromBigInt(n, -decimalDigits)
	if len(rest) > 0 {
		frac, err := decimal.NewFromString("0." + string(rest))
		if err != nil {
			return decimal.Decimal{}, err
		}
		d = d.Add(frac.Shift(-decimalDigits))
	}
	return parseDecimal(d.String())
}

// trimmed is n / 10^8 without fraction zeros at the end.
func trimmed(n int64) decimal.Decimal {
	exp := int32(-decimalDigits)
	for exp < 0 && n%10 == 0 {
		n /= 10
		exp++
	}
	return decimal.New(n, exp)
}

// parseDecimal reads a database's decimal text without fraction zeros at the end.
func parseDecimal(s string) (decimal.Decimal, error) {
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return decimal.NewFromString(s)
}

// instantLayout is a date-time as SQLite keeps it.
const instantLayout = "2006-01-02T15:04:05.000Z"

func encodeInstant(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format(instantLayout)
}

// decodeInstant reads instantLayout. time.Parse reads what has another form.
func decodeInstant(s string) (time.Time, error) {
	if len(s) == len(instantLayout) && s[23] == 'Z' {
		if t, ok := plainTime(s[:19]); ok {
			if ms, good := fraction(s[19:23]); good {
				return t.Add(ms), nil
			}
		}
	}
	return time.Parse(time.RFC3339, s)
}

// plainTime reads "2006-01-02 15:04:05", with any character between date and time, as UTC.
func plainTime(s string) (t time.Time, ok bool) {
	ok = true
	at := func(from, to int) (n int) {
		for _, c := range []byte(s[from:to]) {
			if c < '0' || c > '9' {
				ok = false
			}
			n = 10*n + int(c-'0')
		}
		return n
	}
	t = time.Date(at(0, 4), time.Month(at(5, 7)), at(8, 10), at(11, 13), at(14, 16), at(17, 19), 0, time.UTC)
	return t, ok
}

// joined is the text of a set in its record's own column; nil when it is empty.
func joined(set []string) any {
	if len(set) == 0 {
		return nil
	}
	return strings.Join(set, ";")
}

// fits refuses numbers that no column keeps exactly: 16 integer and 8 fraction digits, on both databases.
func fits(k plan.Kind, v any) error {
	d, ok := v.(decimal.Decimal)
	if !ok || k != plan.Number {
		return nil
	}
	if exp := int(d.Exponent()); exp >= -decimalDigits && d.NumDigits()+exp <= 16 {
		return nil
	}
	if d.Abs().GreaterThanOrEqual(largest) || !d.Equal(d.Truncate(decimalDigits)) {
		return fmt.Errorf("%s: %w", d, errDecimalRange)
	}
	return nil
}

var largest = decimal.New(1, 16)
