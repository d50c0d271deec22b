import { Button } from 'antd'
import { useRef, useState } from 'react'
import { address } from '@/api/client'
import { fileAddress, sendFile } from '@/api/files'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { Row, useFieldPlace } from '../../shared/fields'
import { valueAt } from '../../shared/json'
import type { PrintDesign } from '../api'
import styles from '../paper.module.css'
import { isUpload, pictureOf, refusedPicture, TYPES } from './upload'

const UPLOAD = '/api/aliyun/upload?for=printPicture'

/** A picture of the template: one that is brought here, or a file beside the templates. */
export function FileField({
  design,
  path = ['picUrl'],
  optional,
}: {
  design: PrintDesign
  path?: string[]
  optional?: true
}) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const text = typeof value === 'string' ? value : ''
  const options = design.pictures.map((name) => ({ value: name, label: name }))
  if (text && !design.pictures.includes(text))
    options.push({ value: text, label: isUpload(text) ? t('paper.ownPicture') : text })
  return (
    <Row label={t('paper.file')} hint={t('paper.fileHint')} path={path}>
      {(id) => (
        <span className={styles.file}>
          {isUpload(text) && <img className={styles.fileThumb} src={fileAddress(text, 'inline')} alt="" />}
          <Choice<string>
            id={id}
            allowClear={optional ?? false}
            placeholder={t('design.choose')}
            value={text || null}
            options={options}
            onChange={(next) => set(path, next ?? undefined)}
          />
          <Upload onDone={(refId) => set(path, refId)} />
        </span>
      )}
    </Row>
  )
}

/** Sends one picture, and gives its id. */
function Upload({ onDone }: { onDone: (refId: string) => void }) {
  const t = useText()
  const say = useFeedback()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const send = async (file: File) => {
    const refused = refusedPicture(file)
    if (refused) return say.error(t(`paper.${refused}`))
    setBusy(true)
    try {
      const picture = await pictureOf(file)
      if (!picture) return say.error(t('paper.cannotRead', { name: file.name }))
      const { signal } = new AbortController()
      const stored = await sendFile(address(UPLOAD), picture, { signal, onProgress: () => {} })
      onDone((stored as { refId: string }).refId)
      say.success(t('paper.uploaded', { name: file.name }))
    } catch (error) {
      say.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={TYPES.join()}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void send(file)
        }}
      />
      <Button
        loading={busy}
        aria-label={t('paper.uploadFor', { name: t('paper.file') })}
        title={t('paper.upload')}
        icon={<Icon name="upload" size={14} />}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
