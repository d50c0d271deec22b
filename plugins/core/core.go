// Package core is the pack that is always loaded. Its folder holds the administrative divisions, the work calendars and the administrator's
// role; the property types and actions beside it are packages of their own.
package core

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed pack.json models lists forms access data portals
var folder embed.FS

// Register adds the pack's documents.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/core", folder)
	s.On(workCalendar).BeforeWrite.Add(checkCalendar)
	s.On(workCalendarDay).BeforeWrite.Add(checkDay)
	return nil
}
