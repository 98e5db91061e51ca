package acp

import "encoding/json"

// planV1 applies version 1's plan, which has no id: it replaces the plan of the
// same turn.
func planV1(f *Fold, p *payload, c *Change) {
	entries, ok := p.needArray("entries")
	if !ok {
		return
	}
	checkPlanEntries(entries, p)
	c.Applied, c.Replaced = true, true
	if f.plan == nil {
		f.plan, c.Created = f.add(&Item{Type: ItemPlan, Plan: &Plan{}}), true
	}
	c.Item = f.plan
	rest := p.without("sessionUpdate", "type")
	c.Item.Plan.Plan = append(json.RawMessage(`{"type":"items",`), rest[1:]...)
}

// planUpdate applies the whole content of a plan with an id. Types that are not
// known are kept.
func planUpdate(f *Fold, p *payload, c *Change) {
	raw, is := p.object("plan")
	if !p.need("plan", is) {
		return
	}
	plan, ok := readPayload(raw, p.path+"/plan", p.problems)
	if !ok {
		return
	}
	id, ok := plan.needID("planId")
	kind, typed := plan.needText("type")
	if !ok || !typed {
		return
	}
	switch kind {
	case "items":
		entries, _ := plan.needArray("entries")
		checkPlanEntries(entries, &plan)
	case "file":
		plan.needText("uri")
	case "markdown":
		plan.needText("content")
	}
	c.Applied, c.Replaced = true, true
	c.Item, c.Created = f.find(ItemPlan, id, func() *Item {
		return &Item{Type: ItemPlan, Plan: &Plan{ID: id}}
	})
	c.Item.Plan.Plan = clone(raw)
	c.Item.Plan.Removed = false
	c.Item.Plan.Meta = nil
	p.patchObject(&c.Item.Plan.Meta, "_meta")
}

// planRemoved marks a plan; its entry keeps its place and last content. The
// removal of a plan that was never seen changes nothing.
func planRemoved(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("planId")
	if !ok {
		return
	}
	c.Applied = true
	if it := f.index[itemKey{ItemPlan, id}]; it != nil {
		c.Item = it
		it.Plan.Removed = true
	}
}

func checkPlanEntries(entries []json.RawMessage, p *payload) {
	for i, e := range entries {
		if entry, ok := readPayload(e, p.at("entries", i), p.problems); ok {
			entry.needText("content")
			entry.needText("priority")
			entry.needText("status")
		}
	}
}
