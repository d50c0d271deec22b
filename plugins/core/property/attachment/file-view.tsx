import { fileAddress, Icon, isPicture, useText } from '@sluice/sdk'
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import styles from './attachment.module.css'
import { type Attachment, extension, isPdf, kindOf, sizeText } from './files'

const Preview = lazy(() => import('./preview').then((m) => ({ default: m.Preview })))

/** The kind of a file: its ending on a tile in the colour of its family. */
export function KindTile({ name }: { name: string }) {
  const ending = extension(name)
  return (
    <span className={styles.tile} data-kind={kindOf(name)} aria-hidden="true">
      {ending && ending.length <= 5 ? ending : <Icon name="file" />}
    </span>
  )
}

/** A small picture of a file, or its kind where the server cannot draw one. */
export function Thumb({ file, alt = '' }: { file: Attachment; alt?: string }) {
  const [failed, setFailed] = useState(false)
  if (!file.isImage || file.gone || failed) return <KindTile name={file.name} />
  return (
    <img
      className={styles.thumb}
      src={fileAddress(file.refId, 'thumb')}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(true)}
    />
  )
}

/** The pictures among some files, opened one beside the other. */
export function usePreview(files: Attachment[]) {
  const [current, setCurrent] = useState<number | null>(null)
  const pictures = files.filter(isPicture)
  const open = (file: Attachment) => setCurrent(pictures.findIndex((one) => one.refId === file.refId))
  const preview = current !== null && (
    <Suspense fallback={null}>
      <Preview pictures={pictures} start={current} onClosed={() => setCurrent(null)} />
    </Suspense>
  )
  return { open, preview }
}

interface LinkProps {
  file: Attachment
  onPreview: (file: Attachment) => void
  className: string | undefined
  /** In a grid's cell, which the arrow keys reach and not Tab. */
  inCell?: boolean
  children: ReactNode
}

/**
 * Opens a file as its kind allows: pictures here, PDF in a tab of its own, all others are downloaded. One that the record held
 * once and holds no more is named only.
 */
export function FileLink({ file, onPreview, className, inCell, children }: LinkProps) {
  const t = useText()
  const name = file.name
  const own = { className, title: name, ...(inCell ? { tabIndex: -1 } : {}) }
  const alone = (event: MouseEvent) => event.stopPropagation()
  if (file.gone)
    return (
      <span {...own} title={t('file.gone', { name })} data-gone>
        {children}
      </span>
    )
  if (isPicture(file)) {
    const preview = (event: MouseEvent) => {
      event.stopPropagation()
      onPreview(file)
    }
    return (
      <button type="button" {...own} aria-label={t('file.preview', { name })} onClick={preview}>
        {children}
      </button>
    )
  }
  if (isPdf(file)) {
    const href = fileAddress(file.refId, 'inline')
    return (
      <a {...own} href={href} target="_blank" rel="noopener" aria-label={t('file.openNew', { name })} onClick={alone}>
        {children}
      </a>
    )
  }
  return (
    <a
      {...own}
      href={fileAddress(file.refId)}
      download={name}
      aria-label={t('file.download', { name })}
      onClick={alone}
    >
      {children}
    </a>
  )
}

interface EntryProps {
  file: Attachment
  onPreview: (file: Attachment) => void
  /** What is at the end besides the download. */
  children?: ReactNode
}

/** One stored file of a list: picture or kind, name, size, download. */
export function FileEntry({ file, onPreview, children }: EntryProps) {
  const t = useText()
  return (
    <li className={styles.entry}>
      <FileLink file={file} onPreview={onPreview} className={styles.open}>
        <Thumb file={file} />
        <span className={styles.about}>
          <span className={styles.name}>{file.name}</span>
          <span className={styles.note}>{file.gone ? t('file.goneWord') : sizeText(file.size)}</span>
        </span>
      </FileLink>
      <span className={styles.tools}>
        {!file.gone && (
          <a
            className={styles.tool}
            href={fileAddress(file.refId)}
            download={file.name}
            title={t('file.downloadWord')}
            aria-label={t('file.download', { name: file.name })}
            onClick={(event) => event.stopPropagation()}
          >
            <Icon name="download" />
          </a>
        )}
        {children}
      </span>
    </li>
  )
}

/** Files to read: pictures side by side where all are pictures, else rows. */
export function FileList({ files }: { files: Attachment[] }) {
  const { open, preview } = usePreview(files)
  return (
    <>
      <ul className={styles.files} data-look={files.every((file) => file.isImage && !file.gone) ? 'pictures' : 'rows'}>
        {files.map((file) => (
          <FileEntry key={file.refId} file={file} onPreview={open} />
        ))}
      </ul>
      {preview}
    </>
  )
}
