// Package workflow runs workflows over records. engine/flow decides what a command does; this package locks the instance, asks the world what
// the reducer wants to know, writes the record through the one writer, and keeps what happened: the events, the state that they make, and a
// row for each work item, which the lists of the workflow centre read (docs/adr/0053). All of a command is one transaction.
package workflow
