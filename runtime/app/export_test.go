package app

// SystemTables are the gorm models of the system's tables.
func (a *App) SystemTables() []any { return a.cfg.store().System }
