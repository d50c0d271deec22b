const formats = new Map<string, Intl.DateTimeFormat>()

/** What clock and calendar of a zone show at an instant: year, month, day, hour (00 to 23), minute and second. */
export function partsIn(zone: string, ms: number): Record<string, string> {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return Object.fromEntries(format.formatToParts(ms).map((part) => [part.type, part.value]))
}
