package app

import "context"

func (t *transaction) StartWorkflow(ctx context.Context, code, record string) (string, error) {
	if t.batch == nil {
		return "", errReadOnly
	}
	return t.app.flows.StartIn(ctx, t.tx, t.view, code, record)
}

func (t *transaction) MayStart(code string) error {
	return t.app.flows.MayStart(t.view, code)
}

func (t *transaction) Signal(_ context.Context, signal, key string) (int, error) {
	if t.batch == nil {
		return 0, errReadOnly
	}
	return t.app.flows.SignalIn(t.tx, signal, key)
}
