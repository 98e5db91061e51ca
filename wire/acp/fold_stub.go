package acp

import (
	"encoding/json"

	"github.com/acptool/acptool/wire"
)

const unbuilt = "acp: folding is not built yet"

var kindsV1 = [...]string{"user_message_chunk"}
var kindsV2 = [...]string{"user_message_chunk"}

type turnState struct {
	answered, done bool
	messageID      string
	stop           StopReason
	usage, err     json.RawMessage
	warnings       []Problem
}

func newTurnState(Version) turnState            { return turnState{} }
func (*turnState) prior(State)                  { panic(unbuilt) }
func (*turnState) update(Change)                { panic(unbuilt) }
func (*turnState) result(json.RawMessage)       { panic(unbuilt) }
func (*turnState) failed(json.RawMessage)       { panic(unbuilt) }
func decodeState(json.RawMessage) (State, bool) { panic(unbuilt) }

type foldState struct {
	sessionID                                            string
	version                                              Version
	turn                                                 *Turn
	state                                                State
	lastKnown, title, mode                               string
	stop                                                 StopReason
	usage, cost, turnUsage, commands, configOptions, err json.RawMessage
	subagents                                            []*Subagent
	notices                                              []*Notice
	warnings                                             []Warning
}

func newFold(id string, v Version) *Fold                      { return &Fold{foldState{sessionID: id, version: v}} }
func clone(m json.RawMessage) json.RawMessage                 { panic(unbuilt) }
func (*foldState) update(json.RawMessage) Change              { panic(unbuilt) }
func (*foldState) prompt(json.RawMessage) *Turn               { panic(unbuilt) }
func (*foldState) promptAccepted(string)                      { panic(unbuilt) }
func (*foldState) permission(json.RawMessage) (*Item, Change) { panic(unbuilt) }
func (*foldState) permissionAnswered(*Item, json.RawMessage)  { panic(unbuilt) }
func (*foldState) cancelSent() []*Item                        { panic(unbuilt) }
func (*foldState) beginHistory()                              { panic(unbuilt) }
func (*foldState) endHistory(bool)                            { panic(unbuilt) }
func (*foldState) setup(json.RawMessage)                      { panic(unbuilt) }
func (*foldState) visible() []*Item                           { panic(unbuilt) }
func (*foldState) text() string                               { panic(unbuilt) }
func (*foldState) info() json.RawMessage                      { panic(unbuilt) }
func (*foldState) appendJSON([]byte) []byte                   { panic(unbuilt) }
func (*Content) appendText([]byte) []byte                     { panic(unbuilt) }
func (*Content) blocks(func(json.RawMessage) bool)            { panic(unbuilt) }
func (*Content) appendJSON([]byte) []byte                     { panic(unbuilt) }
func viewBlock(json.RawMessage) BlockView                     { panic(unbuilt) }
func viewToolContent(json.RawMessage) ToolContentView         { panic(unbuilt) }
func viewLocation(json.RawMessage) LocationView               { panic(unbuilt) }
func viewPlan(json.RawMessage) PlanView                       { panic(unbuilt) }
func viewPermission(json.RawMessage) PermissionView           { panic(unbuilt) }

type foldSetState struct {
	bySession map[string]*Fold
	order     []*Fold
}

func newFoldSet() *FoldSet                                      { return &FoldSet{} }
func (*foldSetState) connection()                               { panic(unbuilt) }
func (*foldSetState) message(wire.Party, wire.Message) SetEvent { panic(unbuilt) }
func (*foldSetState) close()                                    { panic(unbuilt) }
