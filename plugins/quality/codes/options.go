package codes

import "github.com/sluice-platform/sluice/engine/pack"

// ofLevels are the choices of a level of the breakdown, ofEvaluations those of what an evaluation comes to.
var (
	ofLevels      = []string{pack.Path(Evaluation, NodeType), pack.Path(Evaluation, Parts, NodeType), pack.Path(Node, NodeType), pack.Path(RuleSet, Levels, NodeType)}
	ofEvaluations = []string{pack.Path(Evaluation, EvalStatus), pack.Path(Evaluation, Parts, EvalStatus), pack.Path(Node, EvalStatus)}
)

// Options.
var (
	OptionCanceled       = Declared.Option("CANCELED", pack.Path(Binding, Status), pack.Path(Record, State))
	OptionClosed         = Declared.Option("CLOSED", pack.Path(Node, NcrState))
	OptionCompleted      = Declared.Option("COMPLETED", pack.Path(Binding, Status), pack.Path(Record, State))
	OptionDivision       = Declared.Option("DIVISION", ofLevels...)
	OptionDoing          = Declared.Option("DOING", pack.Path(Process, Status), pack.Path(Node, WorkStatus))
	OptionDone           = Declared.Option("DONE", pack.Path(Process, Status), pack.Path(Node, WorkStatus))
	OptionDraft          = Declared.Option("DRAFT", pack.Path(Binding, Status), pack.Path(Record, State))
	OptionExcellent      = Declared.Option("EXCELLENT", ofEvaluations...)
	OptionFixed          = Declared.Option("FIXED", pack.Path(NCR, Status))
	OptionGeneral        = Declared.Option("GENERAL", pack.Path(CheckItem, ItemClass), pack.Path(Record, Items, ItemClass))
	OptionGroup          = Declared.Option("GROUP", pack.Path(Library, Kind))
	OptionIncomplete     = Declared.Option("INCOMPLETE", pack.Path(Node, Conclusion), pack.Path(Record, Conclusion), pack.Path(Record, Items, Conclusion))
	OptionItem           = Declared.Option("ITEM", ofLevels...)
	OptionJbs            = Declared.Option("JBS", pack.Path(Binding, OwnerType), pack.Path(Import, Kind))
	OptionLocked         = Declared.Option("LOCKED", pack.Path(Process, Status))
	OptionLot            = Declared.Option("LOT", ofLevels...)
	OptionMain           = Declared.Option("MAIN", pack.Path(CheckItem, ItemClass), pack.Path(Record, Items, ItemClass))
	OptionMbs            = Declared.Option("MBS", pack.Path(Binding, OwnerType), pack.Path(Import, Kind))
	OptionNa             = Declared.Option("NA", pack.Path(Record, Conclusion), pack.Path(Record, Items, Conclusion))
	OptionNone           = Declared.Option("NONE", append([]string{pack.Path(Binding, Status), pack.Path(Node, NcrState)}, ofEvaluations...)...)
	OptionNormal         = Declared.Option("NORMAL", pack.Path(NCR, Level))
	OptionNotOk          = Declared.Option("NOT_OK", pack.Path(Evaluation, Appearance), pack.Path(Node, Appearance), pack.Path(Node, Conclusion), pack.Path(Record, Conclusion), pack.Path(Record, Items, Conclusion))
	OptionNotStarted     = Declared.Option("NOT_STARTED", pack.Path(Node, WorkStatus))
	OptionOk             = Declared.Option("OK", pack.Path(Evaluation, Appearance), pack.Path(Node, Appearance), pack.Path(Node, Conclusion), pack.Path(Record, Conclusion), pack.Path(Record, Items, Conclusion))
	OptionOpen           = Declared.Option("OPEN", pack.Path(Process, Status), pack.Path(NCR, Status), pack.Path(Node, NcrState))
	OptionPending        = Declared.Option("PENDING", ofEvaluations...)
	OptionPoint          = Declared.Option("POINT", pack.Path(CheckItem, EvalMethod), pack.Path(Record, Items, EvalMethod))
	OptionProcess        = Declared.Option("PROCESS", pack.Path(Library, Kind))
	OptionProcessing     = Declared.Option("PROCESSING", pack.Path(Binding, Status), pack.Path(Record, State))
	OptionProject        = Declared.Option("PROJECT", ofLevels...)
	OptionQbs            = Declared.Option("QBS", pack.Path(Binding, OwnerType), pack.Path(Import, Kind))
	OptionQualified      = Declared.Option("QUALIFIED", ofEvaluations...)
	OptionRecord         = Declared.Option("RECORD", pack.Path(Binding, BizKind), pack.Path(LibraryBinding, BizKind))
	OptionRejected       = Declared.Option("REJECTED", pack.Path(NCR, Status))
	OptionReviewed       = Declared.Option("REVIEWED", pack.Path(NCR, Status))
	OptionRework         = Declared.Option("REWORK", append([]string{pack.Path(Node, NcrState)}, ofEvaluations...)...)
	OptionSingle         = Declared.Option("SINGLE", ofLevels...)
	OptionStatCompaction = Declared.Option("STAT_COMPACTION", pack.Path(CheckItem, EvalMethod), pack.Path(Record, Items, EvalMethod))
	OptionStatStrength   = Declared.Option("STAT_STRENGTH", pack.Path(CheckItem, EvalMethod), pack.Path(Record, Items, EvalMethod))
	OptionSubdivision    = Declared.Option("SUBDIVISION", ofLevels...)
	OptionSubunit        = Declared.Option("SUBUNIT", ofLevels...)
	OptionTemplate       = Declared.Option("TEMPLATE", pack.Path(Library, Kind))
	OptionTest           = Declared.Option("TEST", pack.Path(Binding, BizKind), pack.Path(LibraryBinding, BizKind), pack.Path(Record, RecordKind))
	OptionUnit           = Declared.Option("UNIT", ofLevels...)
	OptionUnqualified    = Declared.Option("UNQUALIFIED", ofEvaluations...)
	OptionYesno          = Declared.Option("YESNO", pack.Path(CheckItem, EvalMethod), pack.Path(Record, Items, EvalMethod))
)
