/** Line icons on a 24 grid, drawn for this product: one weight, round ends, the colour of the text beside them. */
const paths = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  down: 'M6 9.5l6 6 6-6',
  up: 'M6 14.5l6-6 6 6',
  arrowUp: 'M12 19V5m-5.500 5.500L12 5l5.500 5.500',
  arrowDown: 'M12 5v14m-5.500-5.500L12 19l5.500-5.500',
  right: 'M9.5 6l6 6-6 6',
  left: 'M14.5 6l-6 6 6 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  sliders: 'M4 8h9m5 0h2M4 16h2m5 0h9M15.5 5.5v5M8.5 13.5v5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  refresh: 'M20 11a8 8 0 1 0-2.3 6M20 5v6h-6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2m0 15v2M2.5 12h2m15 0h2M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  monitor: 'M4 5h16v11H4zM9 20h6m-3-4v4',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 0c3 3 3 15 0 18m0-18c-3 3-3 15 0 18M3.5 9.5h17m-17 5h17',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.700 1.900 7.500 5.500',
  lock: 'M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3',
  key: 'M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 12h8.500m-3.500 0v3m3.500-3v4',
  exit: 'M14 4H5v16h9M10 12h10m-3.500-3.500L20 12l-3.500 3.500',
  home: 'M4 11l8-7 8 7v9h-5.500v-5.500h-5V20H4z',
  grid: 'M5 5h5.500v5.500H5zM13.500 5H19v5.500h-5.500zM5 13.500h5.500V19H5zM13.500 13.500H19V19h-5.500z',
  folder: 'M3.500 6.500h6l2 2.500h9v10h-17z',
  file: 'M6 3.500h8l4.500 4.500v12.500H6zM14 3.500V8h4.500M9 13h6m-6 3.500h6',
  book: 'M5 4.500h13.500V17H7a2 2 0 0 0 0 3.500h11.500M5 4.500v14.250',
  table: 'M4 5h16v14H4zM4 10h16M10 10v9',
  tree: 'M5 4.500h5v4H5zM14 10h5v4h-5zM14 16.500h5v4h-5zM7.500 8.500v10H14M7.500 12H14',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.8 13h8.400L17 7M10.500 11v5.500m3-5.500v5.500',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  clip: 'M18.500 11.500l-7 7a4.500 4.500 0 0 1-6.400-6.400l7.700-7.700a3 3 0 0 1 4.300 4.300l-7.600 7.600a1.500 1.500 0 0 1-2.100-2.100l6.900-6.900',
  copy: 'M8.500 8.500h11v11h-11zM15.500 8.500v-4h-11v11h4',
  history: 'M12 7.500V12l3 2M4.500 12a7.500 7.500 0 1 0 2.200-5.300L4.500 9M4.500 4.500V9H9',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  expand: 'M14 5h5v5M10 19H5v-5M19 5l-6 6M5 19l6-6',
  external: 'M13.500 5H19v5.500M19 5l-8 8M10 6H5v13h13v-5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  panel: 'M4 5h16v14H4zM9.500 5v14',
  eye: 'M2.500 12C5 7.500 8.300 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-5.800 6.500-9.500 6.500s-7-2-9.500-6.500ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  alert: 'M12 4l9 16H3zM12 10v4.500m0 2.500h.01',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h4.500l1.500 2.500h4l1.500-2.500H20',
  keyboard: 'M3 6.500h18v11H3zM7 10h.01M10.500 10h.01M14 10h.01M17.500 10h.01M8 14h8',
  chart: 'M4 4v16h16M8.500 15v-4m4 4V8m4 7v-6',
  upload: 'M12 15.500V5m-4.500 4L12 4.500 16.500 9M5 15.500v4h14v-4',
  download: 'M12 4.500V15m-4.500-4 4.500 4.500 4.500-4.500M5 15.500v4h14v-4',
  print: 'M7.500 8.500v-5h9v5M7 16.500H4v-8h16v8h-3M7.500 13.500h9v7h-9zM17 11.500h.010',
  qrCode:
    'M4 4h6.500v6.500H4zM13.500 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.500 13.500h2.500v2.500M20 13.500v3M13.500 20h2.500M18.500 20H20v-.010M7.250 7.250h.010M16.750 7.250h.010M7.250 16.750h.010',
  camera: 'M4 8h4l1.500-2.500h5L16 8h4v11H4zM12 10a3.250 3.250 0 1 0 0 6.500 3.250 3.250 0 0 0 0-6.500Z',
  rotate: 'M19 12a7 7 0 1 1-2.100-5M19 4v4h-4',
  bell: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4',
  talk: 'M4 5h16v11.500h-8.500L7 20v-3.500H4zM8 9h8M8 12.500h5',
  reply: 'M9.500 6L4 11.500 9.500 17M4.500 11.500H14a6 6 0 0 1 6 6V19',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  calendar: 'M4.500 6.500h15v13h-15zM4.500 10.500h15M8.500 4v4M15.500 4v4',
  star: 'M12 4l2.500 5.200 5.700.800-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.800z',
  theme:
    'M12 4a8 8 0 1 0 0 16c1.500 0 2-1 1.500-2.200-.500-1.300.300-2.300 1.600-2.300H17a3 3 0 0 0 3-3c0-4.700-3.600-8.500-8-8.500ZM8 11h.01M11 8h.01M15 9h.01',
  clock: 'M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15ZM12 8v4.500l3 2',
} as const

export type IconName = keyof typeof paths

export const ICON_NAMES = Object.keys(paths) as IconName[]

export const isIcon = (name: string | null | undefined): name is IconName => Boolean(name && name in paths)

const dots = new Set<IconName>(['more', 'drag'])
const weight = (name: IconName, size: number) => (dots.has(name) ? 2.6 : size < 16 ? 2 : 1.7)

export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={weight(name, size)}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className={className}
    >
      <path d={paths[name]} />
    </svg>
  )
}

const SVG = 'http://www.w3.org/2000/svg'
const drawn = new Map<string, SVGElement>()

/** The same as a plain element. */
export function iconElement(name: IconName, size = 16): SVGElement {
  const key = `${name}/${size}`
  let icon = drawn.get(key)
  if (!icon) {
    icon = document.createElementNS(SVG, 'svg')
    const attributes = {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': weight(name, size),
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': true,
      focusable: false,
    }
    for (const [attribute, value] of Object.entries(attributes)) icon.setAttribute(attribute, String(value))
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', paths[name])
    icon.append(path)
    drawn.set(key, icon)
  }
  return icon.cloneNode(true) as SVGElement
}
