import { useText } from '@/sdk/use-text'
import { type Bag, isBag, numberOf } from '../shared/json'
import styles from './paper.module.css'
import { BAND_EDGE, BAND_FONT, type Setup, type Template } from './template'
import type { PaperWords } from './words'

/** The picture behind a page, as far as the last preview has it. */
export function Background({ template, images }: { template: Template; images: Record<string, string> }) {
  const background = isBag(template.pageSettings) ? template.pageSettings.background : undefined
  const name = isBag(background) && typeof background.picUrl === 'string' ? background.picUrl : ''
  const src = name && (images[`template:${name}`] ?? images[`file:${name}`])
  return src ? <img className={styles.background} src={src} alt="" draggable={false} /> : null
}

const JUSTIFY: Record<string, string> = {
  left: 'flex-start',
  center: 'center',
  right: 'flex-end',
  between: 'space-between',
}

/** What is above or below a page of the template: pages after the first may have another, or none. */
export function bandOf(settings: Bag, band: 'header' | 'footer', page: number): unknown {
  const usual = settings[band]
  if (page === 0) return usual
  const next = settings[band === 'header' ? 'nextHeader' : 'nextFooter']
  if (isBag(next)) return next
  return isBag(usual) && usual.pages === 'first' ? undefined : usual
}

/** The header or footer; it leads to its settings. */
export function Band({
  band,
  template,
  setup,
  scale,
  high,
  words,
  onOpen,
  page = 0,
}: {
  band: 'header' | 'footer'
  page?: number
  template: Template
  setup: Setup
  scale: number
  high: number
  words: PaperWords
  onOpen: () => void
}) {
  const t = useText()
  const settings = isBag(template.pageSettings) ? template.pageSettings : {}
  const of = bandOf(settings, band, page)
  const edge = (isBag(of) ? numberOf(of.top) : undefined) ?? BAND_EDGE
  const size = ((isBag(of) ? numberOf(of.fontSize) : undefined) ?? BAND_FONT) * (25.4 / 72)
  const height = Math.max(size * 1.4, 4)
  const items = isBag(of) && Array.isArray(of.items) ? (of.items as unknown[]) : []
  const text = (item: unknown) => {
    const one: Bag = typeof item === 'string' ? { key: item } : isBag(item) ? item : {}
    const key = String(one.key)
    const value = key === 'Text' ? '' : t(`paper.bandValues.${key as 'PageNum'}`)
    const own = words.text(one, 'value')
    return own ? own.replaceAll('{value}', value) : value
  }
  const top = band === 'header' ? edge : high - edge - height
  return (
    <button
      type="button"
      tabIndex={-1} // keys come to it by the settings of the page
      className={styles.band}
      style={{
        left: setup.left * scale,
        top: top * scale,
        width: setup.inner * scale,
        height: height * scale,
        fontSize: size * scale,
        justifyContent: JUSTIFY[(isBag(of) && typeof of.align === 'string' && of.align) || 'center'],
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={onOpen}
    >
      <span className="visually-hidden">{t(`paper.${band}`)}</span>
      {items.map((item, i) => (
        <span key={i} aria-hidden="true">
          {text(item)}
        </span>
      ))}
      {items.length === 0 && (
        <span className={styles.noBand}>{t(`paper.no${band === 'header' ? 'Header' : 'Footer'}`)}</span>
      )}
    </button>
  )
}
