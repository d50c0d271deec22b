package exporter

// Limit makes the limits of files and of a person smaller.
func (s *Service) Limit(file, person int64) { s.perFile, s.perPerson = file, person }
