package acp

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/google/go-cmp/cmp"
)

var updateGoldens = flag.Bool("update", false, "write the golden files anew")

// golden compares got, indented, with a file beside the input.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	var pretty bytes.Buffer
	for _, line := range bytes.Split(bytes.TrimSpace(got), []byte("\n")) {
		if err := json.Indent(&pretty, line, "", "  "); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		pretty.WriteByte('\n')
	}
	if *updateGoldens {
		if err := os.WriteFile(path, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
		t.Errorf("%s: -want +got\n%s", path, diff)
	}
}

func TestP05EveryKindHasAFixtureAndIsFolded(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		kinds := UpdateKinds(v)
		if want := map[Version]int{V1: 19, V2: 23}[v]; len(kinds) != want {
			t.Errorf("version %d has %d kinds, want %d", v, len(kinds), want)
		}
		for _, kind := range kinds {
			t.Run(fmt.Sprintf("v%d/%s", v, kind), func(t *testing.T) {
				path := filepath.Join("testdata", "updates", fmt.Sprintf("v%d", v), kind)
				update, err := os.ReadFile(path + ".json")
				if err != nil {
					t.Fatal(err)
				}
				f := NewFold("s1", v)
				switch kind { // these need something to be about
				case "plan_removed":
					apply(f, `{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"plan-7","entries":[]}}`)
				case "compaction_summary_chunk":
					apply(f, `{"sessionUpdate":"compaction_update","compactionId":"c-1","status":"in_progress"}`)
				}
				c := f.Update(update)
				if c.Unknown || c.Malformed() || !c.Applied || c.Kind != kind {
					t.Errorf("%+v", c)
				}
				golden(t, path+".golden", f.AppendJSON(nil))
				// A kind of one version only is unknown to the other.
				other := NewFold("s1", V1+V2-v)
				if c := other.Update(update); c.Unknown == kindKnown(other.Version(), kind) {
					t.Errorf("in the other version: %+v", c)
				}
			})
		}
	}
}

func TestConversationsOfTheDocuments(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "fold", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := NewFoldSet()
			for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
				var entry struct {
					From string
					Msg  struct {
						ID                    json.RawMessage
						Method                string
						Params, Result, Error json.RawMessage
					}
				}
				if err := json.Unmarshal(line, &entry); err != nil {
					t.Fatal(err)
				}
				from := wire.Client
				if entry.From == "agent" {
					from = wire.Agent
				}
				m := entry.Msg
				s.Message(from, wire.Message{Raw: line, ID: wire.ID(m.ID), Method: m.Method, Params: m.Params, Result: m.Result, Error: m.Error})
			}
			s.Close()
			var out []byte
			for _, f := range s.Folds() {
				out = append(f.AppendJSON(out), '\n')
				for _, w := range f.Warnings() {
					t.Errorf("%+v", w)
				}
			}
			golden(t, path[:len(path)-len("jsonl")]+"golden", out)
		})
	}
}
