import { type FormWidgetProps, localName, useErrorText, useFormHold, useIsPhone, useLocale, useText } from '@sluice/sdk'
import { type ClipboardEvent, type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import styles from './attachment.module.css'
import { DropArea } from './drop-area'
import { FileEntry, usePreview } from './file-view'
import { type Attachment, sizeText } from './files'
import { kindWords, limitsOf, picturesOnly, type Refusal, refusalOf } from './limits'
import { pastedFiles, useDrop } from './taken'
import { RemoveButton, UploadEntry } from './upload-entry'
import { useUploads } from './use-uploads'

const nothingFocused = () => !document.activeElement || document.activeElement === document.body

/** The files of a record. Each is uploaded at once; the value holds those that the server has. */
export function FormWidget(props: FormWidgetProps<Attachment[]>) {
  const { id, field, schemaCode, value, onChange, onBlur, inCell, invalid, describedBy } = props
  const t = useText()
  const locale = useLocale()
  const phone = useIsPhone()
  const errorText = useErrorText()
  const root = useRef<HTMLDivElement>(null)
  const [tooMany, setTooMany] = useState(0)
  const limits = limitsOf(field)
  const pictures = picturesOnly(limits)
  const files = value ?? []
  const latest = useRef({ files, onChange })
  latest.current = { files, onChange }

  const put = (next: Attachment[]) => {
    latest.current.files = next
    latest.current.onChange(next.length === 0 ? null : next)
  }
  const { uploads, running, failed, add, retry, remove } = useUploads({
    schemaCode,
    propertyCode: field.propertyCode,
    onStored: (file) => put([...latest.current.files, file]),
  })
  useFormHold(running, failed)
  const { open, preview } = usePreview(files)

  const kinds = kindWords(limits, (family) => t(`file.${family}`)).join(t('file.separator'))
  const room = limits.maxCount - files.length - uploads.filter((one) => one.state !== 'refused').length
  const words = (refusal: Refusal, file: File) => {
    if (refusal === 'badKind') return t('file.badKind', { kinds })
    if (refusal === 'empty') return t('file.empty')
    return t('file.tooLarge', { size: sizeText(file.size), limit: sizeText(limits.maxSize) })
  }
  const take = (taken: File[]) => {
    if (taken.length === 0) return
    const judged = taken.map((file) => ({ file, refusal: refusalOf(file, limits) }))
    const good = judged.filter((one) => one.refusal === null)
    const beyond = new Set(good.slice(Math.max(0, room)))
    setTooMany(beyond.size)
    add(
      judged
        .filter((one) => !beyond.has(one))
        .map(({ file, refusal }) => ({ file, error: refusal && new Error(words(refusal, file)) })),
    )
  }
  const { over, handlers } = useDrop(take)
  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedFiles(event, (time) => t('file.pasted', { time }))
    if (pasted.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    take(pasted)
  }
  /** The button that was pressed goes; the focus stays in the field. */
  const keepFocus = () =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[data-choose], [data-remove]')?.focus())
  const within = useRef(false)
  // What was pressed goes with the last file that there is room for, and what stops an upload goes with its end.
  useLayoutEffect(() => {
    if (within.current && nothingFocused()) keepFocus()
  })
  const drop = (refId: string) => {
    setTooMany(0)
    put(latest.current.files.filter((file) => file.refId !== refId))
    keepFocus()
  }

  const facts = [
    kinds && !pictures && t('file.limitKinds', { kinds }),
    Number.isFinite(limits.maxSize) && t('file.limitSize', { size: sizeText(limits.maxSize) }),
    Number.isFinite(limits.maxCount) && t('file.limitCount', { count: limits.maxCount }),
  ]
  const shown = files.length + uploads.length > 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pasting and dropping are shortcuts to the button inside
    <div
      ref={root}
      className={styles.widget}
      data-compact={inCell || undefined}
      data-over={over || undefined}
      onPaste={onPaste}
      onFocus={() => {
        within.current = true
      }}
      onBlur={(event: FocusEvent) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        within.current = false
        onBlur?.()
      }}
      {...handlers}
    >
      {shown && (
        <ul className={styles.files} data-look={pictures && !inCell ? 'pictures' : 'rows'}>
          {files.map((file) => (
            <FileEntry key={file.refId} file={file} onPreview={open}>
              <RemoveButton name={file.name} onClick={() => drop(file.refId)} />
            </FileEntry>
          ))}
          {uploads.map((upload) => (
            <UploadEntry
              key={upload.key}
              upload={upload}
              error={upload.error === null ? null : errorText(upload.error)}
              onRetry={() => retry(upload)}
              onRemove={() => {
                remove(upload.key)
                keepFocus()
              }}
            />
          ))}
        </ul>
      )}
      {room > 0 && (
        <DropArea
          id={id}
          name={localName(field, locale)}
          accept={limits.accept}
          multiple={room > 1}
          camera={phone && pictures}
          pictures={pictures}
          compact={inCell === true}
          over={over}
          facts={facts.filter((fact) => fact !== false && fact !== '').join(' · ')}
          onFiles={take}
          {...(describedBy ? { describedBy } : {})}
          invalid={invalid === true}
        />
      )}
      {tooMany > 0 && (
        <p className={styles.fault} role="alert">
          {t('file.tooMany', { limit: limits.maxCount, count: tooMany })}
        </p>
      )}
      {preview}
    </div>
  )
}
