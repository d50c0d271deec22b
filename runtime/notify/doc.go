// Package notify keeps the messages of people: that somebody mentioned them, that a task waits for them. A message is written
// in the transaction of what causes it, as a type with parameters, and put into words when its recipient reads it, in their
// language and with their rights: of a record that they may no longer see neither the name nor anything that was said is shown.
// The sending package decides who receives what. See docs/adr/0019.
package notify
