package pretty

import (
	"strings"
	"testing"
)

func TestMoneyIsRounded(t *testing.T) {
	for in, want := range map[string]string{
		"0.0024000000000000002": "0.0024", "0.0450": "0.0450", "12": "12", "0.30000000000000004": "0.3",
		"1234567.8900000001": "1234567.89", `"a text of an agent"`: `"a text of an agent"`, "1e-30": "1e-30",
	} {
		if got := string(money([]byte(in))); got != want {
			t.Errorf("money(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestCostIsShownRounded(t *testing.T) {
	const usage = `{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.0024000000000000002,"currency":"USD"}}`
	for name, text := range map[string]string{"log": one(t, usage), "transcript": transcriptOf(t, Screen{}, "s", usage)} {
		if !strings.Contains(text, "0.0024 USD") {
			t.Errorf("the %s says %s", name, text)
		}
	}
}
