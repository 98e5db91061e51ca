package commands

// Exit is a status that the process ends with. The table is the contract with
// scripts: numbers never change their meaning.
type Exit int

// The exit statuses of every command but tap and record.
const (
	ExitOK           Exit = 0
	ExitNo           Exit = 1
	ExitUsage        Exit = 2
	ExitOwnFailure   Exit = 3
	ExitNoSession    Exit = 4
	ExitUnsupported  Exit = 5
	ExitAuth         Exit = 6
	ExitAgentError   Exit = 7
	ExitUnreachable  Exit = 8
	ExitTimeout      Exit = 9
	ExitProtocol     Exit = 10
	ExitCannotTell   Exit = 11
	ExitRefusal      Exit = 20
	ExitMaxTokens    Exit = 21
	ExitMaxRequests  Exit = 22
	ExitCancelled    Exit = 23
	ExitOtherReason  Exit = 24
	ExitInterrupted  Exit = 130
	ExitOutputClosed Exit = 141
	ExitTerminated   Exit = 143
)
