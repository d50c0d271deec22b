package workflow

import "context"

// able reports whether somebody can take part in workflows now: they are known and may sign in. Whatever names a person asks here.
func (s *Service) able(ctx context.Context, person string) bool {
	who, known := s.cfg.People.Person(ctx, person)
	return known && !who.Disabled
}

// ables reports whether all of some people can take part now, each of them named once.
func (s *Service) ables(ctx context.Context, people []string) bool {
	seen := map[string]bool{}
	for _, p := range people {
		if seen[p] || !s.able(ctx, p) {
			return false
		}
		seen[p] = true
	}
	return true
}
