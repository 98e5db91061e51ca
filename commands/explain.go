package commands

// explainAgent fills in what is known of errors that come from the connection
// and the agent.
func explainAgent(err error, f *failure) {}
