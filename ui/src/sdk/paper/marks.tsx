import { memo } from 'react'
import type { components } from '@/api/schema.gen'
import styles from './marks.module.css'

export type PrintPages = components['schemas']['PrintPages']
export type PrintPage = components['schemas']['PrintPage']
export type PrintMark = components['schemas']['PrintMark']

type Stroke = NonNullable<PrintMark['stroke']>

/** As runtime/printing/pdf draws: the lean of italic letters in degrees; the rest are parts of the size of letters. */
const SLANT = 12
const BOLD = 36
const UNDERLINE = 18
const BELOW = 9

/** The thickness of lines, and their dashes as runtime/printing/pdf draws them. */
export function strokeOf(stroke: Stroke) {
  const { width, color, kind } = stroke
  const dashes = {
    solid: null,
    dashed: [Math.max(4 * width, 1), Math.max(2 * width, 0.6)],
    dotted: [Math.max(width, 0.2), Math.max(2 * width, 0.5)],
  }[kind]
  return { stroke: color, strokeWidth: width, ...(dashes ? { strokeDasharray: dashes.join(' ') } : {}) }
}

/** The dark modules of a code as one outline, those beside each other in one. */
export function codePath(rows: string[], { x, y, width, height = 0 }: PrintMark): string {
  const high = height / rows.length
  return rows
    .flatMap((row, i) => {
      const wide = width / row.length
      return [...row.matchAll(/1+/g)].map(
        ({ index, 0: run }) =>
          `M${x + index * wide} ${y + i * high}h${run.length * wide}v${high}h${-run.length * wide}z`,
      )
    })
    .join('')
}

/** The edges of a box that begins on the page before, or goes on over the next one. */
function openEdges({ x, y, width, height = 0, openTop, openBottom }: PrintMark) {
  const sides = `M${x} ${y}v${height}M${x + width} ${y}v${height}`
  return sides + (openTop ? '' : `M${x} ${y}h${width}`) + (openBottom ? '' : `M${x} ${y + height}h${width}`)
}

function TextMark({ mark }: { mark: PrintMark }) {
  const { x, y, width, size = 0, text = '', color = '#000000', bold, italic, underline } = mark
  return (
    <>
      <text
        {...(italic ? { transform: `translate(${x} ${y}) skewX(${-SLANT})` } : { x, y })}
        fontSize={size}
        fill={color}
        {...(bold ? { stroke: color, strokeWidth: size / BOLD } : {})}
        {...(width > 0 && text.length > 1 ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {})}
      >
        {text}
      </text>
      {underline && (
        <path d={`M${x} ${y + size / BELOW}h${width}`} stroke={color} strokeWidth={size / UNDERLINE} fill="none" />
      )}
    </>
  )
}

function BoxMark({ mark }: { mark: PrintMark }) {
  const { x, y, width, height = 0, fill, stroke, openTop, openBottom } = mark
  const rx = Math.min(mark.radius ?? 0, width / 2, height / 2)
  const at = { x, y, width, height, ...(rx > 0 ? { rx } : {}) }
  if (!openTop && !openBottom) return <rect {...at} fill={fill ?? 'none'} {...(stroke ? strokeOf(stroke) : {})} />
  return (
    <>
      {fill && <rect {...at} fill={fill} />}
      {stroke && <path d={openEdges(mark)} fill="none" {...strokeOf(stroke)} />}
    </>
  )
}

function ImageMark({ mark, href }: { mark: PrintMark; href: string | undefined }) {
  const { x, y, width, height = 0, clip } = mark
  if (!href || width <= 0 || height <= 0) return null
  const image = <image href={href} x={x} y={y} width={width} height={height} preserveAspectRatio="none" />
  if (!clip) return image
  const [left = 0, top = 0, wide = 0, high = 0] = clip
  return (
    <svg x={left} y={top} width={wide} height={high} viewBox={clip.join(' ')} overflow="hidden" aria-hidden="true">
      {image}
    </svg>
  )
}

function Mark({ mark, images }: { mark: PrintMark; images: Record<string, string> }) {
  switch (mark.type) {
    case 'text':
      return <TextMark mark={mark} />
    case 'line':
      if (!mark.stroke) return null
      return <path d={`M${mark.x} ${mark.y}L${mark.x2 ?? 0} ${mark.y2 ?? 0}`} fill="none" {...strokeOf(mark.stroke)} />
    case 'box':
      return <BoxMark mark={mark} />
    case 'image':
      return <ImageMark mark={mark} href={images[mark.ref ?? '']} />
    case 'code':
      return mark.rows ? <path d={codePath(mark.rows, mark)} fill="#000000" shapeRendering="crispEdges" /> : null
  }
}

interface Props {
  page: PrintPage
  images: Record<string, string>
  /** The font of the answer. */
  family: string
}

/** What is on a sheet, in millimeters: the marks of the PDF, drawn as it draws them. */
export const Drawing = memo(function Drawing({ page, images, family }: Props) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its texts are read as such; the sheet around it has the name
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${page.width} ${page.height}`}
      fontFamily={`${family}, sans-serif`}
      strokeMiterlimit={10}
    >
      {page.marks.map((mark, i) => (
        <Mark key={i} mark={mark} images={images} />
      ))}
    </svg>
  )
})
