// Package portal answers portal pages as one person may see them: the widgets with what leads on, the records that they list, and how a
// person arranged them (docs/adr/0061).
package portal
