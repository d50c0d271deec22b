import { fileAddress, Icon, type IconName, useText } from '@sluice/sdk'
import { Image } from 'antd'
import { useState } from 'react'
import styles from './attachment.module.css'
import type { Attachment } from './files'

interface Props {
  pictures: Attachment[]
  start: number
  onClosed: () => void
}

/** Pictures over the page: previous, next, larger, smaller, turned, downloaded. Esc closes. */
export function Preview({ pictures, start, onClosed }: Props) {
  const t = useText()
  const [open, setOpen] = useState(true)
  const [current, setCurrent] = useState(start)
  const shown = pictures[current]
  const named = (name: IconName, text: string) => (
    <>
      <Icon name={name} size={20} />
      <span className="visually-hidden">{text}</span>
    </>
  )
  return (
    <Image.PreviewGroup
      items={pictures.map((file) => ({ src: fileAddress(file.refId, 'inline'), alt: file.name }))}
      preview={{
        open,
        current,
        onChange: setCurrent,
        onOpenChange: setOpen,
        afterOpenChange: (now) => !now && onClosed(),
        closeIcon: named('close', t('file.close')),
        icons: { prev: named('left', t('file.previous')), next: named('right', t('file.next')) },
        countRender: (at, count) => (
          <span className={styles.caption}>
            {shown?.name}
            {count > 1 && <span className="tabular">{` ${at} / ${count}`}</span>}
          </span>
        ),
        actionsRender: (_, { actions }) => {
          const tools: [IconName, string, () => void][] = [
            ['minus', t('file.zoomOut'), actions.onZoomOut],
            ['plus', t('file.zoomIn'), actions.onZoomIn],
            ['rotate', t('file.rotate'), actions.onRotateRight],
          ]
          return (
            <div className={styles.toolbar}>
              {tools.map(([icon, label, run]) => (
                <button key={icon} type="button" title={label} aria-label={label} onClick={run}>
                  <Icon name={icon} size={20} />
                </button>
              ))}
              {shown && (
                <a
                  href={fileAddress(shown.refId)}
                  download={shown.name}
                  title={t('file.downloadWord')}
                  aria-label={t('file.download', { name: shown.name })}
                >
                  <Icon name="download" size={20} />
                </a>
              )}
            </div>
          )
        },
      }}
    />
  )
}
