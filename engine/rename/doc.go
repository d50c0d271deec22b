// Package rename finds what uses a name, and gives a thing another code in all files of packs. It changes texts at the places that the
// compiler has resolved (compile.References) and nothing else, and compiles the result before anybody writes it: what would have a new error, or
// would mean something else, is refused.
//
// It is not for data: what an installation stores follows by the former codes that it writes into the definitions (engine/names).
package rename
