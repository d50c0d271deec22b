package app

import "github.com/sluice-platform/sluice/runtime/authn/authntest"

// SystemTables are the gorm models of the system's tables.
func (a *App) SystemTables() []any { return a.cfg.store().System }

func init() { authntest.Cheapen() }
