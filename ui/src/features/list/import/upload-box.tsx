import { Button, Progress } from 'antd'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useIsPhone } from '@/lib/use-media'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from './import.module.css'
import { ACCEPT } from './import-state'
import type { useUpload } from './use-upload'

const UNITS = ['B', 'KB', 'MB', 'GB']

/** A size with two decimals, base 1024. */
export function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** unit
  return `${unit === 0 ? amount : amount.toFixed(2)} ${UNITS[unit]}`
}

/** Where the file is dropped or chosen, and what became of it. */
export function UploadBox({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const t = useText()
  const phone = useIsPhone()
  const say = useFeedback()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { state } = upload
  const add = (files: File[]) => {
    if (upload.add(files) === 'second') say.warning(t('import.oneFile'))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  const problem =
    state.at !== 'none'
      ? ''
      : state.refused === 'extension'
        ? t('import.wrongExtension')
        : state.refused === 'second'
          ? t('import.oneFile')
          : state.error
            ? [errorText(state.error), requestNote(state.error)].filter(Boolean).join(' ')
            : ''
  return (
    <div className={styles.upload}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here, or chosen with the button in it */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        data-state={state.at}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
        }}
        onDrop={drop}
      >
        {state.at === 'none' && (
          <>
            <Icon name="upload" size={24} />
            <p>
              {!phone && t('import.dropHere')}
              <button
                type="button"
                className={styles.choose}
                aria-describedby={`${id}-kinds ${id}-problem`}
                onClick={() => input.current?.click()}
              >
                {t(phone ? 'import.chooseOnly' : 'import.choose')}
              </button>
            </p>
            <p id={`${id}-kinds`} className={styles.note}>
              {t('import.kindsOfFiles')}
            </p>
          </>
        )}
        {state.at === 'sending' && (
          <div className={styles.file}>
            <Icon name="file" size={18} />
            <span className={styles.fileName} title={state.name}>
              {state.name}
            </span>
            <span className={styles.note}>{state.share < 1 ? t('import.uploading') : t('import.looking')}</span>
            <Button
              type="text"
              icon={<Icon name="close" />}
              aria-label={t('import.stopUpload')}
              onClick={upload.remove}
            />
            <Progress
              className={styles.bar ?? ''}
              percent={Math.floor(state.share * 100)}
              showInfo={false}
              size="small"
              aria-label={t('import.uploading')}
            />
          </div>
        )}
        {state.at === 'ready' && (
          <div className={styles.file}>
            <Icon name="file" size={18} />
            <span className={styles.fileName} title={state.file.originalFilename}>
              {state.file.originalFilename}
            </span>
            <span className={`${styles.note} tabular`}>
              {sizeText(state.file.size)}
              {state.file.rows > 0 && ` · ${t('import.rows', { count: state.file.rows })}`}
            </span>
            <Button
              type="text"
              icon={<Icon name="trash" />}
              aria-label={t('import.removeFile', { name: state.file.originalFilename })}
              title={t('import.remove')}
              onClick={upload.remove}
            />
          </div>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPT}
        aria-label={t('import.choose')}
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          event.target.value = '' // the same file may be chosen again
        }}
      />
      <p id={`${id}-problem`} className={styles.error} role="alert">
        {problem}
      </p>
    </div>
  )
}
