package def

import "slices"

// ListActions are the actions that every list may offer and every role may grant, besides view.
var ListActions = []string{"add", "edit", "delete", "import", "export", "batch_update", "change_owner", "copy", "form_track", "print", "qr_code"}

// FormActions are the buttons that a form knows by itself.
var FormActions = []string{"save", "submit", "print", "copy", "delete", "form_track"}

// later are the actions of both that are read and granted, and that nothing carries out yet.
var later = []string{"import", "export", "print", "qr_code", "submit"}

// Later tells whether an action of a list or form is not part of this version: no button is drawn for it.
func Later(action string) bool { return slices.Contains(later, action) }
