package acp

import (
	"encoding/json"
	"strings"
	"testing"
)

// play runs a prompt through a fold. A step is an update, or one of:
// "answer" (the result with id M), "answer {…}" (that result), "error".
func play(v Version, steps ...string) (*Fold, *Turn) {
	f := NewFold("s1", v)
	turn := f.Prompt(json.RawMessage(`[` + text1("ask") + `]`))
	playOn(f, turn, steps...)
	return f, turn
}

func playOn(f *Fold, turn *Turn, steps ...string) {
	for _, step := range steps {
		result, isAnswer := strings.CutPrefix(step, "answer")
		switch {
		case step == "error":
			turn.Failed(json.RawMessage(`{"code":-32602,"message":"no"}`))
		case isAnswer && result == "":
			turn.Result(json.RawMessage(`{"messageId":"M"}`))
		case isAnswer:
			turn.Result(json.RawMessage(result))
		default:
			f.Update(json.RawMessage(step))
		}
	}
}

var (
	running = state("running", "")
	asks    = state("requires_action", "")
	idleEnd = state("idle", "end_turn")
	rests   = state("idle", "")
	echo    = chunk("user_message_chunk", "M", "ask")
	reply   = chunk("agent_message_chunk", "a", "reply")
)

func TestP01P02P36P76TurnOfVersion2EndsAtIdleOnly(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	for i, step := range []string{"answer", echo, running, reply, call(`,"status":"in_progress"`), asks, running, call(`,"status":"completed"`), chunk("agent_message_chunk", "b", "more")} {
		playOn(f, turn, step)
		if _, done := turn.Done(); done {
			t.Fatalf("done after step %d", i)
		}
	}
	playOn(f, turn, idleEnd, idleEnd, state("idle", "refusal"))
	if reason, done := turn.Done(); !done || reason != StopEndTurn || len(turn.Warnings()) > 0 {
		t.Errorf("%q %v %v", reason, done, turn.Warnings())
	}
}

func TestP29P30P31AllOrdersGiveTheSameResult(t *testing.T) {
	steps := []string{"answer", echo, running, reply, idleEnd}
	var orders [][]string
	var permute func(done, left []string)
	permute = func(done, left []string) {
		if len(left) == 0 {
			orders = append(orders, append([]string(nil), done...))
		}
		for i, s := range left {
			rest := append(append([]string(nil), left[:i]...), left[i+1:]...)
			permute(append(done, s), rest)
		}
	}
	permute(nil, steps)
	n := 0
	for _, order := range orders {
		at := func(step string) int {
			for i, s := range order {
				if s == step {
					return i
				}
			}
			return -1
		}
		// The idle follows the work and the insertion: by answer or by echo.
		if at(idleEnd) < at(running) || at(idleEnd) < at(reply) || at(idleEnd) < min(at("answer"), at(echo)) {
			continue
		}
		n++
		f, turn := play(V2, order...)
		if reason, done := turn.Done(); !done || reason != StopEndTurn || turn.MessageID() != "M" {
			t.Errorf("%q: %q %v", order, reason, done)
		}
		users := 0
		for _, it := range f.Items() {
			if it.Type == ItemUserMessage {
				users++
				if m := it.Message; m.ID != "M" || !m.Submitted || m.Content.Text() != "ask" {
					t.Errorf("%q: %+v", order, m)
				}
			}
		}
		if users != 1 || f.Text() != "reply" || f.StopReason() != StopEndTurn || len(f.Warnings()) > 0 {
			t.Errorf("%q: %d user messages, text %q, %v", order, users, f.Text(), f.Warnings())
		}
	}
	if n != 36 {
		t.Errorf("%d orders", n)
	}
}

func TestP31EntryIsOursOnlyAfterTheAnswer(t *testing.T) {
	f, turn := play(V2, echo)
	if items := f.Items(); len(items) != 1 || items[0].Message.Submitted {
		t.Errorf("%s", brief(f))
	}
	playOn(f, turn, "answer")
	if items := f.Items(); len(items) != 1 || !items[0].Message.Submitted {
		t.Errorf("%s", brief(f))
	}
	f, turn = play(V2)
	if len(f.Items()) != 0 {
		t.Error("a prompt is shown before the agent has inserted it")
	}
	playOn(f, turn, "answer")
	wantBrief(t, f, "user_message M ask")
	playOn(f, turn, echo, chunk("user_message_chunk", "M", "!"))
	wantBrief(t, f, "user_message M ask!")
	f, _ = play(V2, "answer", whole("user_message", "M", "as the agent tells it"))
	wantBrief(t, f, "user_message M as the agent tells it")
	f, _ = play(V2, "answer", `{"sessionUpdate":"user_message","messageId":"M","_meta":{"a":1}}`)
	wantBrief(t, f, "user_message M ask")
}

func TestP28AnswerWithoutMessageIDIsABreach(t *testing.T) {
	for _, result := range []string{`{}`, `{"messageId":null}`, `{"messageId":7}`, `{"messageId":""}`, `null`, `[]`} {
		for _, order := range [][]string{{"answer " + result, running, reply, idleEnd}, {running, "answer " + result, reply, idleEnd}, {running, reply, idleEnd, "answer " + result}} {
			f, turn := play(V2, order...)
			if reason, done := turn.Done(); !done || reason != StopEndTurn {
				t.Errorf("%q: %q %v", order, reason, done)
			}
			if len(turn.Warnings()) != 1 {
				t.Errorf("%q: %v", order, turn.Warnings())
			}
			if f.Text() != "reply" || len(f.Items()) != 2 {
				t.Errorf("%q: %s", order, brief(f))
			}
		}
	}
	if _, turn := play(V2, idleEnd, "answer {}"); turn.done {
		t.Error("an idle without work before the answer ended the turn")
	}
}

func TestP33EachTurnEndsByItsOwnID(t *testing.T) {
	f := NewFold("s1", V2)
	first := f.Prompt(json.RawMessage(`[` + text1("ask") + `]`))
	second := f.Prompt(json.RawMessage(`[` + text1("ask") + `]`))
	other := chunk("user_message_chunk", "other client", "ask")
	apply(f, other, running, idleEnd) // another client's prompt with the same words
	first.Result(json.RawMessage(`{"messageId":"1"}`))
	if _, done := first.Done(); done {
		t.Error("another prompt's idle ended the turn")
	}
	apply(f, chunk("user_message_chunk", "2", "ask"))
	apply(f, running, state("idle", "refusal"))
	if reason, done := first.Done(); !done || reason != StopRefusal {
		t.Errorf("first: %q %v", reason, done)
	}
	if _, done := second.Done(); done {
		t.Error("the second turn ended before its answer")
	}
	second.Result(json.RawMessage(`{"messageId":"2"}`))
	if reason, done := second.Done(); !done || reason != StopRefusal {
		t.Errorf("second: %q %v", reason, done)
	}
	wantBrief(t, f, "user_message 1 ask", "user_message other client ask", "user_message 2 ask")
}

func TestIdleBeforeAcceptanceEndsNothing(t *testing.T) {
	for _, before := range [][]string{{idleEnd}, {rests}, {running, idleEnd}, {running, rests, idleEnd}} {
		_, turn := play(V2, append(before, "answer", echo)...)
		if _, done := turn.Done(); done {
			t.Errorf("%q ended the turn", before)
		}
		f, turn := play(V2, append(before, echo, "answer")...)
		if _, done := turn.Done(); done {
			t.Errorf("%q ended the turn", before)
		}
		playOn(f, turn, rests)
		if _, done := turn.Done(); done {
			t.Errorf("%q: a repeated idle without a reason ended the turn", before)
		}
		playOn(f, turn, running, state("idle", "max_tokens"))
		if reason, done := turn.Done(); !done || reason != StopMaxTokens {
			t.Errorf("%q: %q %v", before, reason, done)
		}
	}
}

func TestP38RunningMayBeMissing(t *testing.T) {
	if _, turn := play(V2, "answer", echo, reply, idleEnd); !turn.done || turn.stop != StopEndTurn {
		t.Errorf("%+v", turn)
	}
	if _, turn := play(V2, "answer", echo, reply, rests); turn.done {
		t.Error("an idle that neither follows work nor carries a reason ended the turn")
	}
}

func TestP79StateFollowsPermission(t *testing.T) {
	f, turn := play(V2, "answer", running, asks)
	if s, _ := f.State(); s.Name != StateRequiresAction {
		t.Errorf("state %q", s.Name)
	}
	playOn(f, turn, running)
	if s, _ := f.State(); s.Name != StateRunning {
		t.Errorf("state %q", s.Name)
	}
	if _, turn := play(V2, "answer", asks, rests); !turn.done {
		t.Error("idle after requires_action did not end the turn")
	}
}

func TestP84P85EveryReasonEndsTheTurn(t *testing.T) {
	for _, reason := range []string{"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error", "_quota", "paused_for_review"} {
		f, turn := play(V2, "answer", running, state("idle", reason))
		if got, done := turn.Done(); !done || string(got) != reason || string(f.StopReason()) != reason || len(turn.Warnings()) > 0 {
			t.Errorf("%s: %q %v", reason, got, done)
		}
	}
	for _, idle := range []string{rests, `{"sessionUpdate":"state_update","state":"idle","stopReason":null}`, `{"sessionUpdate":"state_update","state":"idle","stopReason":9}`} {
		_, turn := play(V2, "answer", running, idle)
		if reason, done := turn.Done(); !done || reason != "" || len(turn.Warnings()) != 1 {
			t.Errorf("%s: %q %v %v", idle, reason, done, turn.Warnings())
		}
	}
	_, turn := play(V2, "answer", running, `{"sessionUpdate":"state_update","state":"idle","stopReason":"error","usage":{"totalTokens":3},"error":{"code":1,"message":"quota"}}`)
	if turn.ErrMessage() != "quota" || string(turn.Usage()) != `{"totalTokens":3}` {
		t.Errorf("%s %s", turn.Err(), turn.Usage())
	}
}

func TestUnknownBetweenRunningAndIdle(t *testing.T) {
	_, turn := play(V2, "answer", running, state("unknown", ""), rests)
	if _, done := turn.Done(); !done {
		t.Error("idle after running and unknown did not end the turn")
	}
	f := folded(V2, running, state("unknown", ""))
	turn = f.Prompt(nil)
	playOn(f, turn, "answer", rests)
	if _, done := turn.Done(); !done {
		t.Error("idle after a state known before the prompt did not end the turn")
	}
}

func TestP27P99RejectedPromptNeverStood(t *testing.T) {
	f, turn := play(V2, "error")
	if reason, done := turn.Done(); !done || reason != "" || turn.ErrMessage() != "no" {
		t.Errorf("%q %v %s", reason, done, turn.Err())
	}
	if len(f.Items()) != 0 {
		t.Errorf("%s", brief(f))
	}
	wantJSON(t, f.AppendJSON(nil), `{"sessionId":"s1","protocol":2,"state":null,"stopReason":null,"text":"","items":[],"error":{"code":-32602,"message":"no"}}`)
	// A cancelled turn is no error.
	if _, turn := play(V2, "answer", running, state("idle", "cancelled")); turn.Err() != nil {
		t.Errorf("%s", turn.Err())
	}
}

func TestRefusedSecondPromptLeavesTheRunningTurn(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		f, first := play(v, reply)
		if v == V2 {
			playOn(f, first, "answer", running)
		}
		second := f.Prompt(json.RawMessage(`[` + text1("also") + `]`))
		second.Failed(json.RawMessage(`{"code":-32600,"message":"busy"}`))
		apply(f, chunk("agent_message_chunk", "a", " goes on"))
		if f.Text() != "reply goes on" || f.Turn() != first {
			t.Errorf("version %d: text %q", v, f.Text())
		}
		if _, done := first.Done(); done {
			t.Errorf("version %d: the first turn ended", v)
		}
	}
}

func TestS24TurnOfVersion1EndsWithTheResponse(t *testing.T) {
	f, turn := play(V1, running, reply, idleEnd)
	if _, done := turn.Done(); done {
		t.Error("a state_update ended the turn")
	}
	if s, _ := f.State(); s.Name != StateRunning || f.StopReason() != "" {
		t.Errorf("state %q, reason %q", s.Name, f.StopReason())
	}
	playOn(f, turn, `answer {"stopReason":"max_tokens","usage":{"totalTokens":1.0}}`)
	if reason, done := turn.Done(); !done || reason != StopMaxTokens || string(f.TurnUsage()) != `{"totalTokens":1.0}` || f.StopReason() != StopMaxTokens {
		t.Errorf("%q %v %s", reason, done, f.TurnUsage())
	}
	if s, _ := f.State(); s.Name != StateIdle {
		t.Errorf("state %q", s.Name)
	}
	for _, result := range []string{`{}`, `{"stopReason":null}`, `null`} {
		_, turn := play(V1, "answer "+result)
		if reason, done := turn.Done(); !done || reason != "" || len(turn.Warnings()) != 1 {
			t.Errorf("%s: %q %v %v", result, reason, done, turn.Warnings())
		}
	}
	if _, turn := play(V1, "error"); !turn.done || turn.ErrMessage() != "no" {
		t.Errorf("%+v", turn)
	}
}

func TestP97P11LateUpdatesAreStillFolded(t *testing.T) {
	f, turn := play(V2, chunk("agent_message_chunk", "early", "before "), "answer", running, state("idle", "cancelled"), reply)
	if reason, done := turn.Done(); !done || reason != StopCancelled {
		t.Errorf("%q %v", reason, done)
	}
	if !strings.Contains(brief(f), "agent_message a reply") || !strings.Contains(brief(f), "agent_message early before") {
		t.Errorf("%s", brief(f))
	}
}

func TestP100EachTurnEndsByItsOwnIdle(t *testing.T) {
	f, first := play(V2, "answer", running, reply, idleEnd)
	second := f.Prompt(json.RawMessage(`[` + text1("next") + `]`))
	if f.StopReason() != "" {
		t.Errorf("reason of the first turn in the second: %q", f.StopReason())
	}
	playOn(f, second, `answer {"messageId":"N"}`, running, chunk("agent_message_chunk", "b", "second reply"), state("idle", "refusal"))
	a, _ := first.Done()
	b, _ := second.Done()
	if a != StopEndTurn || b != StopRefusal || f.Text() != "second reply" {
		t.Errorf("%q %q %q", a, b, f.Text())
	}
	wantBrief(t, f, "user_message M ask", "agent_message a reply", "user_message N next", "agent_message b second reply")
}

func TestP39TurnWithoutText(t *testing.T) {
	f, turn := play(V2, "answer", running, call(`,"status":"completed"`), idleEnd)
	if reason, done := turn.Done(); !done || reason != StopEndTurn || f.Text() != "" {
		t.Errorf("%q %v %q", reason, done, f.Text())
	}
}

func TestS21S22ResumeSnapshotIsNoCompletion(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(nil)
	turn.Result(json.RawMessage(`{"messageId":"M"}`))
	f.BeginHistory()
	apply(f, state("idle", "cancelled"))
	f.EndHistory(true)
	if _, done := turn.Done(); done {
		t.Error("a resume snapshot ended a turn")
	}
	apply(f, running, idleEnd)
	if reason, done := turn.Done(); !done || reason != StopEndTurn {
		t.Errorf("%q %v", reason, done)
	}
}

func TestPromptAcceptedAnswersTheOldest(t *testing.T) {
	f := NewFold("s1", V2)
	first, second := f.Prompt(nil), f.Prompt(nil)
	f.PromptAccepted("1")
	f.PromptAccepted("2")
	f.PromptAccepted("nobody")
	if first.MessageID() != "1" || second.MessageID() != "2" || !second.Answered() {
		t.Errorf("%q %q", first.MessageID(), second.MessageID())
	}
}

func TestTurnWithoutAFold(t *testing.T) {
	turn := NewTurn(V2)
	f := NewFold("s1", V2)
	turn.Prior(State{Name: StateRunning})
	turn.Update(f.Update(json.RawMessage(echo)))
	turn.Update(f.Update(json.RawMessage(rests)))
	turn.Result(json.RawMessage(`{"messageId":"M"}`))
	if _, done := turn.Done(); !done {
		t.Error("not done")
	}
}
