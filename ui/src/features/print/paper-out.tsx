import { useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import type { PrintPages } from '@/sdk/paper/marks'
import { Drawing } from '@/sdk/paper/marks'
import styles from './print.module.css'

/** Sheets of a size have a page of that size: templates may be portrait and landscape. */
const sizeOf = ({ width, height }: { width: number; height: number }) =>
  `paper-${`${width}-${height}`.replaceAll('.', '_')}`

function rulesOf(pages: PrintPages['pages']): string {
  const sizes = new Map(pages.map((page) => [sizeOf(page), page]))
  const named = [...sizes].map(
    ([name, { width, height }]) => `@page ${name} { size: ${width}mm ${height}mm; margin: 0 }`,
  )
  const [first] = pages
  return `${first ? `@page { size: ${first.width}mm ${first.height}mm; margin: 0 }` : ''}
${named.join('\n')}
@media print {
  :root { color-scheme: light !important }
  html, body { height: auto !important; margin: 0 !important; background: #fff !important; overflow: visible !important }
  body > * { display: none !important }
  body > .${styles.out} { display: block !important }
}`
}

/**
 * All sheets, beside the page and seen on paper only: each at its exact size on a page of that size, whatever the appearance and the zoom.
 *
 * The browser prints these and not the PDF. Showing the PDF in a hidden frame would take a blob: address in frame-src, which our content
 * security policy does not allow (frames are of default-src 'self', and blob: is not part of that), and a viewer of PDF, which mobile and
 * embedded browsers lack. The sheets have the marks and the font of the PDF, as vectors: the paper is the same.
 */
export function PaperOut({ print, family }: { print: PrintPages; family: string }) {
  useLayoutEffect(() => {
    // A sheet that scripts make needs no nonce: the policy is about style elements.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rulesOf(print.pages))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [print])
  return createPortal(
    <div className={styles.out} aria-hidden="true">
      {print.pages.map((page, i) => (
        <div
          key={i}
          className={styles.outSheet}
          style={{ width: `${page.width}mm`, height: `${page.height}mm`, page: sizeOf(page) } as React.CSSProperties}
        >
          <Drawing page={page} images={print.images} family={family} />
        </div>
      ))}
    </div>,
    document.body,
  )
}
