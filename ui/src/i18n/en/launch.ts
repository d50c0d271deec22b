export const launch = {
  title: 'Open a notification',
  text: 'Open what this notification is about in your browser.',
  open: 'Open in browser',
  here: 'Open on this page',
  handover: 'Choose whose work to hand over',
  gone: "This notification can't be opened",
  goneText: "It no longer exists, wasn't sent to you, or is about something you don't have access to.",
}
