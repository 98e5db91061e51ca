// Package acp knows what the frames of the Agent Client Protocol mean, in its
// versions 1 and 2: capabilities, methods, sessions, turns, and the folding of
// updates into a conversation.
package acp
