import { type FormWidgetProps, Icon, useText } from '@sluice/sdk'
import { Button } from 'antd'

interface File {
  refId: string
  name: string
}

/** The files of a record; each can be taken off. */
export function FormWidget({ value, onChange, id }: FormWidgetProps<File[]>) {
  const t = useText()
  const files = value ?? []
  if (files.length === 0) return <span style={{ color: 'var(--faint-text)' }}>{t('form.noFiles')}</span>
  return (
    <ul id={id} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {files.map((file) => (
        <li key={file.refId} style={{ display: 'flex', alignItems: 'center', gap: 8, minHeight: 32 }}>
          <Icon name="clip" />
          <span style={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>{file.name}</span>
          <Button
            type="text"
            icon={<Icon name="trash" />}
            aria-label={t('form.removeFile', { name: file.name })}
            onClick={() => {
              const rest = files.filter((other) => other.refId !== file.refId)
              onChange(rest.length === 0 ? null : rest)
            }}
          />
        </li>
      ))}
    </ul>
  )
}
