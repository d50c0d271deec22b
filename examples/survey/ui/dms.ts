/** Degrees as 121°28′13.4″; a text that is not a number of degrees stays as it is. */
export function inWords(degrees: string, decimals: number): string {
  if (!/^\d{1,3}(\.\d+)?$/.test(degrees)) return degrees
  const unit = 10 ** decimals
  const all = Math.round(Number(degrees) * 3600 * unit) % (360 * 3600 * unit)
  const seconds = all % (60 * unit)
  const minutes = Math.floor(all / (60 * unit)) % 60
  const text = (seconds / unit).toFixed(decimals).padStart(decimals > 0 ? decimals + 3 : 2, '0')
  return `${Math.floor(all / (3600 * unit))}°${String(minutes).padStart(2, '0')}′${text}″`
}
