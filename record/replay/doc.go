// Package replay plays recordings: as the agent, to whatever client comes, and
// as the client, against a live agent whose frames are compared with the
// recorded ones.
//
// A recording is played by cause, not by position. What the recorded client
// asked is a root; what the recorded agent then sent in that session, up to
// the next thing that depended on the client, is the scene that belongs to it.
package replay
