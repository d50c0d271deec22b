import { Button, Input, Popover } from 'antd'
import { useId, useRef, useState } from 'react'
import { address } from '@/api/client'
import { fileAddress, sendFile } from '@/api/files'
import { Choice } from '@/components/choice'
import { ICON_NAMES, Icon, isIcon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { Row, useFieldPlace } from '../../shared/fields'
import { type Path, valueAt } from '../../shared/json'
import { useDesigning } from '../context'
import styles from '../portal.module.css'

interface Props {
  path: Path
  label: string
  hint?: string
}

const UPLOAD = '/api/aliyun/upload'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The limits, which the server holds too: what is refused here needs no upload. */
const ICON = { of: 'portalIcon', types: ['image/jpeg', 'image/png', 'image/gif'], bytes: 100 * 1024 }
const PICTURE = { of: 'portalPicture', types: [...ICON.types, 'image/webp'], bytes: 2 * 1024 * 1024 }

/** Why a file can't be a picture; null: it can. */
export function refusedPicture(file: File, icon: boolean) {
  const { types, bytes } = icon ? ICON : PICTURE
  if (!types.includes(file.type)) return icon ? 'notIcon' : 'notPicture'
  if (file.size <= bytes) return null
  return icon ? 'tooLarge' : 'pictureTooLarge'
}

/** Sends one picture, and gives its id. */
function UploadButton({ icon, name, onDone }: { icon: boolean; name: string; onDone: (refId: string) => void }) {
  const t = useText()
  const limits = icon ? ICON : PICTURE
  const say = useFeedback()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const send = (file: File) => {
    const refused = refusedPicture(file, icon)
    if (refused) return void say.error(t(`portalDesign.${refused}`))
    setBusy(true)
    const { signal } = new AbortController()
    sendFile(address(`${UPLOAD}?for=${limits.of}`), file, {
      signal,
      onProgress: () => {},
    })
      .then((stored) => {
        const { refId } = stored as { refId: string }
        onDone(refId)
        say.success(t('portalDesign.uploaded', { name: file.name }))
      })
      .catch(say.error)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={limits.types.join()}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) send(file)
        }}
      />
      <Button
        loading={busy}
        aria-label={t('portalDesign.uploadFor', { name })}
        title={t('portalDesign.upload')}
        icon={<Icon name="upload" size={14} />}
        onClick={() => input.current?.click()}
      />
    </>
  )
}

/** A small view of what is chosen. */
function Shown({ value }: { value: string }) {
  if (isIcon(value)) return <Icon name={value} size={18} />
  if (UUID.test(value)) return <img src={fileAddress(value, 'inline')} alt="" width={20} height={20} />
  return value ? <Icon name="camera" size={18} /> : <Icon name="plus" size={18} />
}

/** The name of an icon of the product, or a small picture of one's own. */
export function IconField({ path, label }: Props) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const { design } = useDesigning()
  const [open, setOpen] = useState(false)
  const value = valueAt(of, path)
  const text = typeof value === 'string' ? value : ''
  const shown = UUID.test(text) ? t('portalDesign.ownPicture') : text || t('portalDesign.noIcon')
  const choose = (next: string | undefined) => {
    set(path, next)
    setOpen(false)
  }
  return (
    <Row label={label} path={path} hint={t('portalDesign.iconHint')}>
      {(id) => (
        <span className={styles.icon}>
          <Popover
            trigger="click"
            placement="bottomLeft"
            open={open}
            onOpenChange={setOpen}
            content={<Icons value={text} pictures={design.pictures} onChoose={choose} />}
          >
            <Button id={id} className={styles.iconButton ?? ''} aria-label={`${label}: ${shown}`}>
              <Shown value={text} />
              <span>{shown}</span>
            </Button>
          </Popover>
          <UploadButton icon name={label} onDone={choose} />
          {text && (
            <Button
              type="text"
              aria-label={t('portalDesign.clear', { name: label })}
              icon={<Icon name="close" size={14} />}
              onClick={() => choose(undefined)}
            />
          )}
        </span>
      )}
    </Row>
  )
}

function Icons({ value, pictures, onChoose }: { value: string; pictures: string[]; onChoose: (name: string) => void }) {
  const t = useText()
  const [search, setSearch] = useState('')
  const found = ICON_NAMES.filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <div className={styles.icons}>
      <Input
        allowClear
        autoFocus
        size="small"
        aria-label={t('portalDesign.findIcon')}
        placeholder={t('portalDesign.findIcon')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div>
        {found.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={name === value}
            onClick={() => onChoose(name)}
          >
            <Icon name={name} size={18} />
          </button>
        ))}
      </div>
      {pictures.length > 0 && (
        <ul>
          {pictures.map((name) => (
            <li key={name}>
              <button type="button" aria-pressed={name === value} onClick={() => onChoose(name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A picture beside the page, or an upload. */
export function PictureField({ path, label, hint }: Props) {
  const t = useText()
  const id = useId()
  const { of, set } = useFieldPlace()
  const { design } = useDesigning()
  const value = valueAt(of, path)
  const text = typeof value === 'string' ? value : ''
  const options = design.pictures.map((name) => ({ value: name, label: name }))
  if (text && !design.pictures.includes(text))
    options.push({ value: text, label: UUID.test(text) ? t('portalDesign.ownPicture') : text })
  return (
    <Row label={label} path={path} hint={hint}>
      {(own) => (
        <span className={styles.icon}>
          {UUID.test(text) && <img className={styles.thumb} src={fileAddress(text, 'inline')} alt="" />}
          <Choice<string>
            id={own ?? id}
            allowClear
            placeholder={t('portalDesign.noPicture')}
            value={text || null}
            options={options}
            onChange={(next) => set(path, next ?? undefined)}
          />
          <UploadButton icon={false} name={label} onDone={(refId) => set(path, refId)} />
        </span>
      )}
    </Row>
  )
}
