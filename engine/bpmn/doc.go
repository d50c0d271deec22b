// Package bpmn reads workflows from BPMN 2.0 files and writes them as such: the block-structured subset of the notation that documents of
// workflows can express. It knows neither packs nor databases: Import answers a document and what is to be said about it, callers compile it
// (Result.Compiled) and store it.
//
// A file of somebody else is read into a graph (read.go), which is brought into blocks (blocks.go) and written as a document (document.go).
// A file that Export wrote holds the properties that BPMN has no place for in extension elements of Namespace, and gives the document that it was
// made of; what another editor changed in it since then counts.
package bpmn

// Namespace is that of our extension elements.
const Namespace = "https://sluice.example/bpmn"

// Namespaces of the notation and of the dialects.
const (
	nsModel    = "http://www.omg.org/spec/BPMN/20100524/MODEL"
	nsDiagram  = "http://www.omg.org/spec/BPMN/20100524/DI"
	nsDC       = "http://www.omg.org/spec/DD/20100524/DC"
	nsDI       = "http://www.omg.org/spec/DD/20100524/DI"
	nsXSI      = "http://www.w3.org/2001/XMLSchema-instance"
	nsCamunda  = "http://camunda.org/schema/1.0/bpmn"
	nsZeebe    = "http://camunda.org/schema/zeebe/1.0"
	nsFlowable = "http://flowable.org/bpmn"
	nsActiviti = "http://activiti.org/bpmn"
)

// Limits of a file.
const (
	MaxSize     = 4 << 20 // bytes
	maxDepth    = 64
	maxElements = 50_000
	maxNodes    = 500 // of a document
	maxRoutes   = 50  // of a split
	maxCode     = 63
	maxName     = 50
)
