package channel

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// post is a message with what is known of its recipient.
type post struct {
	item           notify.Item
	name, username string
	email          string
	locale         string
	link           string
}

// post puts a message into the words of its recipient, who may see less than when it was written; false when there is nothing to send any
// more: it was taken back, or its recipient is gone.
func (s *Service) post(ctx context.Context, d row) (p post, live bool, err error) {
	person, known := s.cfg.People.Person(ctx, d.Recipient)
	if !known || person.Disabled || d.Channel == Mail && person.Email == "" {
		return p, false, nil
	}
	p.locale = s.cfg.Locale
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		all, err := choices(tx, []string{d.Recipient})
		if mine := all[d.Recipient].locale; mine != "" {
			p.locale = mine
		}
		return err
	})
	if err != nil {
		return p, false, err
	}
	view, active := s.cfg.View(ctx, d.Recipient, p.locale)
	if !active {
		return p, false, nil
	}
	item, found, err := s.cfg.Messages().One(ctx, view, d.Message)
	if err != nil || !found {
		return p, false, err
	}
	if s.cfg.Over != nil {
		if over, err := s.cfg.Over(ctx, item.Type, d.Recipient, item.Biz); err != nil || over {
			return p, false, err
		}
	}
	p.item, p.name, p.username, p.email = item, person.Name, person.Username, person.Email
	if s.cfg.Address != "" {
		p.link = s.cfg.Address + "/?" + url.Values{"messageId": {d.Message}}.Encode() // no token: the person signs in
	}
	return p, true, nil
}

// sentences are the parts of a mail that are the same in all.
type sentences struct{ greeting, open, foot string }

var mailed = map[string]sentences{
	"zh": {"%s，您好：", "查看详情", "此邮件由%s自动发送，请勿回复。您可以在“个人设置 > 消息通知”中选择哪些消息发送邮件。"},
	"en": {"Hello %s,", "View details", "%s sent this mail automatically; replies aren't read. You can choose which notifications come by mail in Personal settings > Notifications."},
}

// page is the mail as HTML. html/template escapes every value for its place.
var page = template.Must(template.New("mail").Parse(`<!doctype html>
<html lang="{{.Locale}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>{{.Title}}</title></head>
<body style="margin:0;padding:24px 16px;font:15px/24px -apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px">{{.Greeting}}</p>
<p style="margin:0 0 8px;font-size:17px;font-weight:600">{{.Title}}</p>
{{if .Content}}<p style="margin:0 0 8px;white-space:pre-line">{{.Content}}</p>
{{end}}{{if .Link}}<p style="margin:24px 0"><a href="{{.Link}}" style="display:inline-block;padding:8px 20px;border-radius:6px;background:#0077b0;color:#ffffff;text-decoration:none">{{.Open}}</a></p>
{{end}}<p style="margin:32px 0 0;padding-top:12px;border-top:1px solid #8884;font-size:12px;line-height:18px;opacity:.7">{{.Foot}}</p>
</div></body></html>
`))

func (p post) mail(id string, c Config) mail.Mail {
	locale := p.locale
	if locale != "en" {
		locale = "zh"
	}
	words := mailed[locale]
	fill := func(text, value string) string { return strings.Replace(text, "%s", value, 1) }
	parts := struct{ Locale, Greeting, Title, Content, Link, Open, Foot string }{locale, fill(words.greeting, mail.OneLine(p.name, 80)), p.item.Title, p.item.Content, p.link,
		words.open, fill(words.foot, c.System)}
	lines := []string{parts.Greeting, "", p.item.Title}
	if p.item.Content != "" {
		lines = append(lines, p.item.Content)
	}
	if p.link != "" {
		lines = append(lines, "", words.open+": "+p.link)
	}
	lines = append(lines, "", "--", parts.Foot, "")
	var html strings.Builder
	if err := page.Execute(&html, parts); err != nil {
		html.Reset() // it writes into memory: it does not fail
	}
	return mail.Mail{ID: id, Name: p.name, To: p.email, Subject: p.item.Title, Text: strings.Join(lines, "\n"), HTML: html.String(), Locale: locale, Date: c.Clock()}
}

// payload is what the webhook is sent.
func (p post) payload(d row) ([]byte, error) {
	type person struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		Name     string `json:"name"`
	}
	return json.Marshal(struct {
		Delivery string          `json:"deliveryId"`
		Message  string          `json:"messageId"`
		Type     notify.Type     `json:"messageType"`
		Kind     notify.Kind     `json:"kind"`
		Created  time.Time       `json:"createdTime"`
		To       person          `json:"recipient"`
		Locale   string          `json:"locale"`
		Title    string          `json:"title"`
		Content  string          `json:"content"`
		Biz      json.RawMessage `json:"bizParams"`
		Link     string          `json:"url"`
	}{d.ID, d.Message, p.item.Type, p.item.Kind, p.item.Created, person{d.Recipient, p.username, p.name}, p.locale, p.item.Title, p.item.Content,
		json.RawMessage(p.item.Biz), p.link})
}

// headers sign a call: the receiver computes the HMAC-SHA256 of the time, a full stop and the body, and refuses old times and ids it knows.
func headers(key secret.Text, id string, now time.Time, body []byte) http.Header {
	at := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(key.Reveal()))
	_, _ = mac.Write([]byte(at + "."))
	_, _ = mac.Write(body)
	return http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Sluice"}, "Sluice-Delivery": {id}, "Sluice-Timestamp": {at},
		"Sluice-Signature": {"v1=" + hex.EncodeToString(mac.Sum(nil))}}
}
