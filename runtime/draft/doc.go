// Package draft keeps forms of new records that people put aside before they are records. A draft holds values as the form has
// them, right or wrong, belongs to one person, and is seen by nobody else: it is in no list, no sum and no history. Which of its
// values still count is decided when it is opened, by the form as it is then.
package draft
