import { Button, Dropdown, type MenuProps, Modal } from 'antd'
import { type CSSProperties, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { saveFile } from '@/api/files'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { type BodyProps, ChartBody } from './chart-body'
import type { ChartHandle } from './drawn-chart'
import { pngOf } from './paint'
import styles from './report.module.css'
import type { ReportExport } from './use-export'

type View = BodyProps['view']
type Shared = Omit<BodyProps, 'ref' | 'view'>

interface Props extends Shared {
  /** Whether it may be saved as a picture. */
  pictures: boolean
  files: ReportExport
  style: CSSProperties
}

/** A chart with its heading, and what can be done with it. */
export function ChartCard({ pictures, files, style, ...shared }: Props) {
  const heading = useId()
  const [view, setView] = useState<View>('chart')
  const [large, setLarge] = useState(false)
  const handle = useRef<ChartHandle>(null)
  const more = useRef<HTMLButtonElement>(null)
  return (
    <article className={styles.card} style={style} aria-labelledby={heading} data-chart={shared.chart.code}>
      <header className={styles.head}>
        <h2 id={heading} title={shared.name}>
          {shared.name}
        </h2>
        <ChartMenu
          {...shared}
          pictures={pictures}
          files={files}
          view={view}
          onView={setView}
          handle={handle}
          button={more}
          onLarge={() => setLarge(true)}
        />
      </header>
      <ChartBody {...shared} view={view} ref={handle} />
      {large && <ChartLarge {...shared} view={view} opener={more} onClose={() => setLarge(false)} />}
    </article>
  )
}

interface MenuInput extends Shared {
  pictures: boolean
  files: ReportExport
  view: View
  onView: (view: View) => void
  handle: RefObject<ChartHandle | null>
  button: RefObject<HTMLButtonElement | null>
  onLarge: () => void
}

/** What can be done with a chart. */
export function ChartMenu(props: MenuInput) {
  const { chart, name, data, look, pictures, files, view, onView, handle, button, onLarge } = props
  const t = useText()
  const ready = data !== undefined && !data.error && data.rows.length > 0 && look !== undefined
  const save = () => {
    const picture = handle.current?.picture()
    if (picture) saveFile(pngOf(picture), `${name}.png`)
  }
  const items: MenuProps['items'] = [
    ...(chart.chartType === 'pivot'
      ? []
      : [
          {
            key: 'view',
            icon: <Icon name={view === 'table' ? 'chart' : 'table'} />,
            label: view === 'table' ? t('report.asChart') : t('report.asTable'),
            onClick: () => onView(view === 'table' ? 'chart' : 'table'),
          },
        ]),
    ...(pictures
      ? [
          {
            key: 'picture',
            icon: <Icon name="download" />,
            label: t('report.picture'),
            disabled: !ready,
            onClick: save,
          },
        ]
      : []),
    ...files.types.map((type) => ({
      key: type,
      icon: <Icon name="download" />,
      label: t(`report.${type}`),
      disabled: !ready || files.busy,
      onClick: () => files.save(type, [chart.code]),
    })),
    { key: 'large', icon: <Icon name="expand" />, label: t('report.fullSize'), onClick: onLarge },
  ]
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <Button
        ref={button}
        type="text"
        aria-haspopup="menu"
        aria-label={t('report.menu', { name })}
        icon={<Icon name="more" />}
      />
    </Dropdown>
  )
}

interface LargeProps extends Shared {
  view: View
  /** Where the focus goes afterwards: the entry of the menu that opened it is gone. */
  opener: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The chart in the middle of the screen. */
export function ChartLarge({ opener, onClose, ...props }: LargeProps) {
  useEffect(() => {
    const button = opener.current
    return () => void setTimeout(() => button?.focus({ preventScroll: true }))
  }, [opener])
  return (
    <Modal open title={props.name} footer={null} width="min(1600px, calc(100vw - 32px))" centered onCancel={onClose}>
      <div className={styles.large}>
        <ChartBody {...props} />
      </div>
    </Modal>
  )
}
