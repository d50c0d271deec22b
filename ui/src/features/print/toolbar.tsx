import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { ButtonSlot } from '@/components/button-slot'
import { Choice } from '@/components/choice'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useIsNarrow, useIsPhone } from '@/lib/use-media'
import { ZOOMS, type Zoom } from '@/sdk/paper/zoom'
import type { PrintTemplates } from '@/sdk/print'
import { useText } from '@/sdk/use-text'
import type { PrintFile } from './api'
import styles from './print.module.css'
import type { View } from './use-view'

export interface ToolbarProps {
  title: string
  note: string | null
  templates: PrintTemplates['templates']
  code: string | null
  /** Missing while there are no sheets. */
  view: View | null
  pages: number
  downloading: boolean
  onTemplate: (code: string) => void
  /** Makes a file a record; missing where there is one record. */
  onEach?: (() => void) | undefined
  /** Who printed the record before. */
  past?: ReactNode
  onDownload: (file: PrintFile) => void
  onPrint: () => void
  onBack: () => void
}

/** What is on the paper, how it is looked at, and where it goes. */
export function Toolbar(props: ToolbarProps) {
  const { title, note, view, pages, downloading, onDownload, onPrint, onBack } = props
  const t = useText()
  const phone = useIsPhone()
  const narrow = useIsNarrow()
  return (
    <header className={styles.bar}>
      <Hint title={`${t('common.back')} (Esc)`}>
        <Button type="text" aria-label={t('common.back')} icon={<Icon name="left" />} onClick={onBack} />
      </Hint>
      <div className={styles.title}>
        <h1 title={title}>{title}</h1>
        {note && <p>{note}</p>}
      </div>
      {!phone && <Templates {...props} />}
      {!phone && view && <Places view={view} pages={pages} />}
      {!phone && view && <Zooms view={view} />}
      <div className={styles.group}>
        {props.past}
        {view ? <More {...props} phone={phone} /> : <ButtonSlot />}
        <Hint title={`${t('print.download')} (Ctrl+S)`}>
          <Button
            disabled={!view}
            loading={downloading}
            icon={<Icon name="download" />}
            aria-label={t('print.download')}
            onClick={() => onDownload('pdf')}
          >
            {narrow ? null : t('print.download')}
          </Button>
        </Hint>
        <Hint title={`${t('print.print')} (Ctrl+P)`}>
          <Button
            type="primary"
            disabled={!view}
            icon={<Icon name="print" />}
            aria-label={t('print.print')}
            onClick={onPrint}
          >
            {phone ? null : t('print.print')}
          </Button>
        </Hint>
      </div>
    </header>
  )
}

function Templates({ templates, code, onTemplate }: ToolbarProps) {
  const t = useText()
  const locale = useLocale()
  if (templates.length < 2) return null
  return (
    <Choice
      className={styles.templates ?? ''}
      aria-label={t('print.template')}
      value={code ?? templates[0]?.code}
      onChange={(next) => next && onTemplate(next)}
      popupMatchSelectWidth={false}
      options={templates.map((template) => ({ value: template.code, label: localName(template, locale) }))}
    />
  )
}

function Places({ view, pages }: { view: View; pages: number }) {
  const t = useText()
  const { current, go } = view
  return (
    <div className={styles.group}>
      <Hint title={`${t('common.previousPage')} (PageUp)`}>
        <Button
          type="text"
          aria-label={t('common.previousPage')}
          disabled={current === 0}
          icon={<Icon name="up" />}
          onClick={() => go(current - 1)}
        />
      </Hint>
      <Place current={current} pages={pages} />
      <Hint title={`${t('common.nextPage')} (PageDown)`}>
        <Button
          type="text"
          aria-label={t('common.nextPage')}
          disabled={current >= pages - 1}
          icon={<Icon name="down" />}
          onClick={() => go(current + 1)}
        />
      </Hint>
    </div>
  )
}

/** The sheet that is looked at, of all; a screen reader hears whole words. */
export function Place({ current, pages }: { current: number; pages: number }) {
  const t = useText()
  return (
    <span className={styles.place} role="status" aria-label={t('print.page', { n: current + 1, total: pages })}>
      {t('print.place', { n: current + 1, total: pages })}
    </span>
  )
}

const zoomItems = (fit: string) => [
  { key: 'fit', label: fit },
  { type: 'divider' as const },
  ...ZOOMS.map((zoom) => ({ key: String(zoom), label: `${zoom}%` })),
]
const zoomOf = (key: string): Zoom => (key === 'fit' ? 'fit' : Number(key))

function Zooms({ view }: { view: View }) {
  const t = useText()
  const { zoom, percent, setZoom, step } = view
  return (
    <div className={styles.group}>
      <Hint title={t('print.zoomOut')}>
        <Button
          type="text"
          aria-label={t('print.zoomOut')}
          disabled={percent <= Math.min(...ZOOMS)}
          icon={<Icon name="minus" />}
          onClick={() => step(-1)}
        />
      </Hint>
      <Dropdown
        trigger={['click']}
        menu={{
          selectable: true,
          selectedKeys: [String(zoom)],
          items: zoomItems(t('print.fit')),
          onClick: ({ key }) => setZoom(zoomOf(key)),
        }}
      >
        <Button type="text" className={styles.zoom ?? ''} aria-label={`${t('print.zoom')} ${percent}%`}>
          {percent}%
        </Button>
      </Dropdown>
      <Hint title={t('print.zoomIn')}>
        <Button
          type="text"
          aria-label={t('print.zoomIn')}
          disabled={percent >= Math.max(...ZOOMS)}
          icon={<Icon name="plus" />}
          onClick={() => step(1)}
        />
      </Hint>
    </div>
  )
}

/** Other files; on a phone templates and zoom, too. */
function More({ templates, code, onTemplate, view, onEach, onDownload, phone }: ToolbarProps & { phone: boolean }) {
  const t = useText()
  const locale = useLocale()
  const chosen = code ?? templates[0]?.code
  const groups = [
    { key: 'xlsx', label: t('print.xlsx') },
    ...(onEach ? [{ key: 'each', label: t('print.each') }] : []),
    ...(phone && templates.length > 1
      ? [
          {
            type: 'group' as const,
            label: t('print.template'),
            children: templates.map((one) => ({ key: `template:${one.code}`, label: localName(one, locale) })),
          },
        ]
      : []),
    ...(phone && view ? [{ type: 'group' as const, label: t('print.zoom'), children: zoomItems(t('print.fit')) }] : []),
  ]
  return (
    <Dropdown
      trigger={['click']}
      classNames={{ root: styles.menu ?? '' }}
      menu={{
        selectable: true,
        selectedKeys: [`template:${chosen}`, ...(view ? [String(view.zoom)] : [])],
        items: groups,
        onClick: ({ key }) =>
          key === 'xlsx'
            ? onDownload('xlsx')
            : key === 'each'
              ? onEach?.()
              : key.startsWith('template:')
                ? onTemplate(key.slice('template:'.length))
                : view?.setZoom(zoomOf(key)),
      }}
    >
      <Button type="text" aria-label={t('print.more')} icon={<Icon name="more" />} />
    </Dropdown>
  )
}
