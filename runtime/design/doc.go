// Package design is the desk at which one document is changed in the browser: it reads, checks, plans and publishes the document, keeps its
// draft, and lets one person at a time edit it.
//
//   - In: a person's view with the name of a document (kind, application, code), and texts of documents as JSON. The documents of all packs
//     and their publication come from a Host, which is the running system.
//   - Out: the document, its draft and its edit lock; what the compiler says of a draft; versions; and for each kind what its canvas
//     chooses from (WorkflowChoices, PrintChoices, PortalChoices).
//   - Guarantees: the rules are the same for every kind. People who cannot edit a document learn nothing of it; only the holder of its edit
//     lock changes its draft or publishes it; nothing is published over what another person has published meanwhile; and a draft is
//     forgotten in the transaction that publishes it.
//   - Begin with: Kind, which is all that a kind of documents brings, and Service.
package design
