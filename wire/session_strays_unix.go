//go:build unix

package wire

// process is what the system tells of one.
type process struct{ pid, parent, session int }

// strays are the sessions that what the agent has started made for itself, as
// agents do for each command that they run in a shell. They can be told only
// while their parents live, so whoever ends the agent asks before.
func (s session) strays() []session {
	all := processes()
	ours := map[int]bool{} // of the session, or begotten by what is
	for _, p := range all {
		if p.session == s.leader {
			ours[p.pid] = true
		}
	}
	for before := -1; before < len(ours); { // a parent may stand behind its child
		before = len(ours)
		for _, p := range all {
			if ours[p.parent] {
				ours[p.pid] = true
			}
		}
	}
	found := map[int]bool{s.leader: true}
	var strays []session
	for _, p := range all {
		if ours[p.pid] && p.session > 1 && !found[p.session] {
			found[p.session] = true
			strays = append(strays, sessionOf(p.session))
		}
	}
	return strays
}
