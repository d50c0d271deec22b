// Package channel brings notifications to people who are not looking at the product: by mail, and to a webhook of the installation. The
// message center (runtime/notify) has every message; a channel is a copy of it.
//
// A delivery is a row that is written with its message, in one transaction. A job of the queue (one for each channel, on whatever node)
// sends what is due and notes it, one row after the other, so that no two nodes send the same one; a delivery whose process died is
// sent again with the same id. What is refused for good, or could not be sent for two days, is a dead letter: it stays until an
// administrator repeats it or it is swept. The text is made when it is sent, with the rights of its recipient then. See docs/adr/0049.
package channel
