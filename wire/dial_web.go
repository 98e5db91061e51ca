package wire

import "context"

func dialWebSocket(ctx context.Context, address string, o DialOptions) (Transport, error) {
	return nil, &DialError{address, errNotBuilt}
}

func dialHTTP(ctx context.Context, address string, o DialOptions) (Transport, error) {
	return nil, &DialError{address, errNotBuilt}
}
