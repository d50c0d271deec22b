package channel

import (
	"context"

	"github.com/sluice-platform/sluice/runtime/mail"
)

// Letter is what would be sent of a message to somebody now, as a mail and as the body of a call; false when there is nothing to send.
func (s *Service) Letter(ctx context.Context, by Name, person, message string) (m mail.Mail, body string, live bool, err error) {
	d := row{ID: "d", Message: message, Channel: by, Recipient: person}
	p, live, err := s.post(ctx, d)
	if err != nil || !live {
		return m, "", false, err
	}
	text, err := p.payload(d)
	return p.mail(d.ID, s.cfg), string(text), true, err
}
