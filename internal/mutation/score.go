package main

import (
	"fmt"
	"math/big"
)

// score is what a draw came to.
type score struct {
	Name       string `json:"name"` // of a package, or of a folder of the interface
	Seed       uint64 `json:"seed"`
	Count      int    `json:"n"`
	Date       string `json:"date"`
	Broken     int    `json:"broken"`
	Equivalent int    `json:"equivalent"` // of the broken ones
	Seen       int    `json:"seen"`
	best       share
	note       string
}

// share is a number of lines that were seen, of those that were tried.
type share struct{ seen, of int }

func (s score) tried() int { return s.Broken - s.Equivalent }

func (s score) share() share { return share{s.Seen, s.tried()} }

func (s score) String() string {
	return fmt.Sprintf("seen %d of %d, %d equivalent", s.Seen, s.tried(), s.Equivalent)
}

func (s *score) count(o outcome) {
	s.Broken++
	switch o {
	case equivalent:
		s.Equivalent++
	case seen:
		s.Seen++
	}
}

// beats orders shares. One more seen line and one more unseen one are added to both, so that a large draw says more
// than a small one.
func (s share) beats(o share) bool { return (s.seen+1)*(o.of+2) > (o.seen+1)*(s.of+2) }

// fallen reports whether a share is lower than another one by more than chance: if both draws were of the same
// lines, so few of the seen ones would come into this draw less often than one time in twenty (Fisher's exact test,
// one-sided).
func (s share) fallen(from share) bool {
	seen, all := s.seen+from.seen, s.of+from.of
	ways := new(big.Int)
	for k := 0; k <= s.seen; k++ {
		ways.Add(ways, new(big.Int).Mul(choose(seen, k), choose(all-seen, s.of-k)))
	}
	return ways.Mul(ways, big.NewInt(20)).Cmp(choose(all, s.of)) < 0
}

func choose(n, k int) *big.Int {
	if k < 0 || k > n {
		return new(big.Int)
	}
	return new(big.Int).Binomial(int64(n), int64(k))
}
